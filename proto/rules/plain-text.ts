/**
 * C0, C1 and DEL; line and paragraph separators; what turns the direction of the text around it (Unicode Standard
 * Annex 9). A name that contains one can draw over a terminal, end a line of a log, or show another name than it is.
 */
const NOT_PLAIN =
	"\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069";

/** Of one line without such characters, not all white space: a pattern in the words of JSON Schema. */
export const PLAIN_PATTERN = `^[^${NOT_PLAIN}]*$`;
export const FILLED_PLAIN_PATTERN = `^[^${NOT_PLAIN}]*[^\\s${NOT_PLAIN}][^${NOT_PLAIN}]*$`;

const plain = new RegExp(PLAIN_PATTERN);
const notPlain = new RegExp(`[${NOT_PLAIN}]`, "g");

/** True for text of one line that shows as what it is. */
export function isPlain(text: string): boolean {
	return plain.test(text);
}

/** The text with a space in place of each character that is not plain. */
export function toPlain(text: string): string {
	return text.replace(notPlain, " ");
}

/** Whole characters and no NUL: what every part of the system can store. */
export function isStorable(text: string): boolean {
	return !text.includes("\0") && text.isWellFormed();
}

/** A character is a Unicode code point, as in JSON Schema. */
export function isLongerThan(text: string, max: number): boolean {
	if (text.length <= max) return false;
	return text.length > 2 * max || countCharacters(text) > max;
}

export function countCharacters(text: string): number {
	return [...text].length;
}
