import type { MetaTemplate } from "./meta-template.ts";

export interface CloudApiOptions {
	readonly port?: number;
	readonly host?: string;
	/** Where callbacks go: `{gateway}/callbacks/whatsapp`. */
	readonly callbackUrl: string;
	readonly appSecret: string;
	readonly accessToken: string;
	/** Ids of the sending numbers; the first is the one that control acts for by default. */
	readonly phoneNumberIds: readonly string[];
	readonly wabaId: string;
	/** File to which every send that was taken is appended, one JSON object a line. */
	readonly logFile?: string;
	/** File that keeps when users wrote; without one a restart closes their windows. */
	readonly inboundFile?: string;
	readonly templates?: readonly MetaTemplate[];
}
