import type { AdminClients } from "./clients.ts";
import type { Output } from "./output.ts";

/** One command of the CLI. */
export interface Command {
	/** Group, name and arguments, all of them needed, for example `quota grant <organization> <units>`. */
	readonly line: string;
	/** What it does, as a clause that begins with a verb. */
	readonly summary: string;
	/** Options that it cannot do without: what each is, by its flags, for example `--email <address>`. */
	readonly required?: Readonly<Record<string, string>>;
	readonly options?: Readonly<Record<string, string>>;
	readonly run: (call: Call) => Promise<Output>;
}

/** A command's arguments and options, with the means to act. */
export interface Call {
	readonly clients: AdminClients;
	/** An argument or a required option. */
	text(name: string): string;
	/** An option that may be absent. */
	option(name: string): string | undefined;
	/** Aborted by Ctrl-C. */
	readonly interrupt: AbortSignal;
}
