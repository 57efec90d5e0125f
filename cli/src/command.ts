import type { AdminClients } from "./clients.ts";
import type { Output } from "./output.ts";

/** One option of a command, without its dashes. */
export interface OptionSpec {
	/** What stands for the value in the help; absent for a flag. */
	readonly value?: string;
	readonly about: string;
	readonly required?: boolean;
}

/** One command of the CLI: a row of the table of commands. */
export interface Command {
	/** Group and name, for example `organizations create`. */
	readonly name: string;
	/** What it does, as a clause that begins with a verb. */
	readonly summary: string;
	/** Names of its arguments, all of them needed. */
	readonly args: readonly string[];
	readonly options?: Readonly<Record<string, OptionSpec>>;
	readonly run: (call: Call) => Promise<Output>;
}

/** A command's line as it was read, with the means to act. */
export interface Call {
	readonly clients: AdminClients;
	/** An argument or a required option. */
	text(name: string): string;
	/** An option that may be absent. */
	option(name: string): string | undefined;
	/** Aborted by Ctrl-C. */
	readonly interrupt: AbortSignal;
}

/** The command line is wrong: exit code 2. The message is one sentence. */
export class UsageError extends Error {
	override readonly name = "UsageError";
}

/** The command could not be carried out: exit code 1. The message is a sentence or two. */
export class CommandError extends Error {
	override readonly name = "CommandError";
	/** Stable snake_case code. */
	readonly reason: string;

	constructor(message: string, reason = "failed") {
		super(message);
		this.reason = reason;
	}
}
