import type { SmscSettings } from "./settings.ts";

/** PEM. */
export interface SmscTls {
	readonly cert: string;
	readonly key: string;
	/** Authority of which clients must show a certificate; without one they need none. */
	readonly clientAuthority?: string;
}

export interface SmscOptions {
	readonly host?: string;
	readonly port?: number;
	/** Passwords by system id. */
	readonly accounts?: Readonly<Record<string, string>>;
	/** The certificate of an operator that is called over TLS. */
	readonly tls?: SmscTls;
	readonly settings?: Partial<SmscSettings>;
	/** File to which every submit is appended, one JSON object a line. */
	readonly logFile?: string;
	readonly logKeep?: number;
	/** File that keeps the receipts that no client has taken; without one a restart forgets them. */
	readonly receiptsFile?: string;
}
