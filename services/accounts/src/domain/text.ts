/** C0 and C1 controls and DEL: no name or note needs them, and PostgreSQL refuses NUL. */
const CONTROL = /\p{Cc}/gu;

/** True when the text has a character that is no part of a name or a note. */
export function hasControlCharacters(text: string): boolean {
	return text.search(CONTROL) >= 0;
}

/** The text without control characters, at most `maxLength` characters long. */
export function cleanText(text: string, maxLength: number): string {
	return [...text.replace(CONTROL, " ")].slice(0, maxLength).join("");
}
