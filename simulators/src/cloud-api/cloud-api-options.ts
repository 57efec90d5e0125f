import type { MetaTemplate } from "./meta-template.ts";

export interface CloudApiOptions {
	/** A free one when absent. */
	readonly port?: number;
	/** Default 127.0.0.1. */
	readonly host?: string;
	/** Where callbacks go: `{gateway}/callbacks/whatsapp`. */
	readonly callbackUrl: string;
	/** Signs the callbacks. */
	readonly appSecret: string;
	/** The only bearer token that is let in. */
	readonly accessToken: string;
	/** Ids of the sending numbers; the first is the one that control acts for by default. */
	readonly phoneNumberIds: readonly string[];
	/** Id of the business account. */
	readonly wabaId: string;
	/** File to which every send that was taken is appended, one JSON object a line. */
	readonly logFile?: string;
	/** File that keeps when users wrote; without one a restart closes their windows. */
	readonly inboundFile?: string;
	readonly templates?: readonly MetaTemplate[];
}
