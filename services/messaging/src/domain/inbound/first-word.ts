const WORD = /[\p{L}\p{N}]+/u;
const MARKS = /\p{M}/gu;

/**
 * The first word of a text as words are compared: in small letters, without accents, punctuation or emoji before and
 * after it. Empty where there is none.
 */
export function firstWord(text: string): string {
	const plain = text.normalize("NFKD").replace(MARKS, "").toLowerCase();
	return WORD.exec(plain)?.[0] ?? "";
}

/** The word in that form; undefined for what is not one word. */
export function readKeyword(text: string): string | undefined {
	const word = firstWord(text);
	const isOneWord = /^[\p{L}\p{N}\p{M}]+$/u.test(text.trim());
	return isOneWord && word !== "" ? word : undefined;
}
