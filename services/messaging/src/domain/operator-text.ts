/** Of what an operator says went wrong, so much is kept. */
const MAX_ERROR_LENGTH = 200;

/** The database holds no NUL: one text with it would keep out all that is stored together with it. */
export function withoutNul(text: string): string {
	return text.replaceAll("\0", "\u{FFFD}");
}

/** One line for people. */
export function toErrorText(text: string): string {
	return text.replaceAll(/\p{Cc}/gu, "\u{FFFD}").slice(0, MAX_ERROR_LENGTH);
}
