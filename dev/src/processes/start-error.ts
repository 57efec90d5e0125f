/** A reason not to start that a person can act on: the message is one sentence. */
export class StartError extends Error {
	override readonly name = "StartError";
}
