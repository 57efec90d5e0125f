/** The command could not be carried out: exit code 1. The message is a sentence or two. */
export class CommandError extends Error {
	override readonly name: string = "CommandError";
	/** Stable snake_case code. */
	readonly reason: string;

	constructor(message: string, reason = "failed") {
		super(message);
		this.reason = reason;
	}
}

/** The command line is wrong: exit code 2. The message is one sentence. */
export class UsageError extends CommandError {
	override readonly name = "UsageError";

	constructor(message: string) {
		super(message, "usage");
	}
}
