import type { SigningKey } from "@airtower/platform/identity/signing-key";
import type { AdminClients } from "./clients.ts";
import type { Output } from "./output.ts";

export interface Command {
	readonly line: string;
	readonly summary: string;
	/** Options that it cannot do without: what each is, by its flags, for example `--email <address>`. */
	readonly required?: Readonly<Record<string, string>>;
	readonly options?: Readonly<Record<string, string>>;
	/** True when it calls no service. */
	readonly isLocal?: boolean;
	readonly run: (call: Call) => Promise<Output>;
}

export interface Call {
	readonly clients: AdminClients;
	/** The key that signs the tokens of admins, from the file when one is given. */
	adminKey(file: string | undefined): Promise<SigningKey>;
	text(name: string): string;
	/** The words of the line's last argument, where that takes several. */
	readonly words: readonly string[];
	/** Empty for one that takes no value. */
	option(name: string): string | undefined;
	/** Aborted by Ctrl-C. */
	readonly interrupt: AbortSignal;
}
