/** C0, C1 and DEL: PostgreSQL refuses NUL. */
const CONTROL = /\p{Cc}/gu;

export function hasControlCharacters(text: string): boolean {
	return text.search(CONTROL) >= 0;
}

/** The text without control characters, at most `maxLength` characters long. */
export function cleanText(text: string, maxLength: number): string {
	return [...text.replace(CONTROL, " ")].slice(0, maxLength).join("");
}
