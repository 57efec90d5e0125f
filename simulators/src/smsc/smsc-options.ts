import type { SmscSettings } from "./settings.ts";

export interface SmscOptions {
	/** Default 127.0.0.1. */
	readonly host?: string;
	/** Default: a free one. */
	readonly port?: number;
	/** Passwords by system id; default airtower:airtower. */
	readonly accounts?: Readonly<Record<string, string>>;
	readonly settings?: Partial<SmscSettings>;
	/** File to which every submit is appended, one JSON object a line. */
	readonly logFile?: string;
	/** Submits kept in memory, default 500,000. */
	readonly logKeep?: number;
	/** File that keeps the receipts that no client has taken; without one a restart forgets them. */
	readonly receiptsFile?: string;
}

export interface SmscStats {
	/** Bound sessions now, and bind attempts ever. */
	readonly sessions: number;
	readonly binds: number;
	readonly unbinds: number;
	/** Submits by what became of them. */
	readonly taken: number;
	readonly refused: number;
	readonly throttled: number;
	/** Most submits without a response that one session ever had. */
	readonly peakUnanswered: number;
	readonly receiptsPending: number;
	readonly receiptsDelivered: number;
	/** enquire_link of clients, and responses to its own. */
	readonly enquiries: number;
	readonly enquiriesAnswered: number;
}
