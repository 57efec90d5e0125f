/** Whole characters and no NUL: what every part of the system can store. */
export function isStorable(text: string): boolean {
	return !text.includes("\0") && text.isWellFormed();
}
