import type { DevFile } from "../start/dev-file.ts";

/** What the demo needs to know of the system that it runs on. */
export type DemoSystem = Pick<
	DevFile,
	| "baseUrl"
	| "apiKey"
	| "organizationId"
	| "sender"
	| "whatsapp"
	| "cloudApi"
	| "smsc"
	| "adminKeyFile"
	| "rpcUrls"
> & {
	/** Name or address by which the system reaches this process; 127.0.0.1 when absent. */
	readonly receiverHost?: string;
};
