export class CommandError extends Error {
	override readonly name: string = "CommandError";
	/** Stable snake_case code. */
	readonly reason: string;

	constructor(message: string, reason = "failed") {
		super(message);
		this.reason = reason;
	}
}

export class UsageError extends CommandError {
	override readonly name = "UsageError";

	constructor(message: string) {
		super(message, "usage");
	}
}
