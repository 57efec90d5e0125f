import { firstWord } from "../inbound/first-word.ts";
import {
	type WordFamily,
	type WordLists,
	wordFamilies,
} from "./opt-out-words.ts";

/** Letters that no decomposition takes apart, as a handset without them writes them. */
const SPELLINGS: Readonly<Record<string, string>> = {
	Ł: "L",
	Ø: "O",
	Đ: "D",
	Æ: "AE",
	Œ: "OE",
};

/**
 * Accents and points, also those of Hebrew and Arabic. The vowel signs of Indic scripts are letters in all but name.
 */
const ACCENTS = /\p{Script=Inherited}|\p{Script=Hebrew}(?<=\p{M})/gu;
/** Joiners, marks of direction, soft hyphens, and the line that lengthens an Arabic word. */
const INVISIBLE = /\p{Cf}|\u0640/gu;
const WORD = /[\p{L}\p{M}]+/gu;
/** Scripts that are written without spaces: a word begins a sentence there, and does not end before the next one. */
const UNSPACED =
	/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/**
 * What the first word of a text asks for; undefined when it is a word as any other. Case, accents, emoji and
 * punctuation do not count, nor does what follows. A word that is spelled with spaces or dots ("S.T.O.P") is one.
 * @param keyword the first word by which a shared number found its organization: the next one counts; empty for none
 */
export function readWord(
	text: string,
	words: WordLists,
	keyword = "",
): WordFamily | undefined {
	const given = withoutKeyword(toWords(text), toWords(keyword));
	const forms = [given, spelledOut(given)];
	return wordFamilies.find((family) =>
		words[family].some((word) => {
			const wanted = toWords(word);
			return forms.some((form) => beginsWith(form, wanted));
		}),
	);
}

/**
 * Whether a keyword of a shared number would take this word, or the first one of this phrase, away: it does not count
 * in texts that begin with it.
 */
export function takesWord(keyword: string, word: string): boolean {
	return (
		firstWord(word) === firstWord(keyword) ||
		beginsWith(toWords(keyword), toWords(word).slice(0, 1))
	);
}

/** The words of a text in the form in which they are compared. All that is no letter only parts them, digits too. */
export function toWords(text: string): string[] {
	const plain = text
		.normalize("NFKD")
		.replace(INVISIBLE, "")
		.replace(ACCENTS, "")
		.toUpperCase()
		.replace(/[ŁØĐÆŒ]/gu, (letter) => SPELLINGS[letter] ?? letter);
	return plain.match(WORD) ?? [];
}

function withoutKeyword(given: string[], keyword: string[]): string[] {
	return keyword.length > 0 && beginsWith(given, keyword)
		? given.slice(keyword.length)
		: given;
}

/** Letters that stand alone make one word; empty where the text does not begin with two of them. */
function spelledOut(given: readonly string[]): string[] {
	const end = given.findIndex((word) => [...word].length > 1);
	const letters = end === -1 ? given : given.slice(0, end);
	return letters.length < 2 ? [] : [letters.join("")];
}

function beginsWith(
	given: readonly string[],
	wanted: readonly string[],
): boolean {
	return (
		wanted.length > 0 &&
		wanted.every((word, index) =>
			UNSPACED.test(word)
				? given[index]?.startsWith(word)
				: given[index] === word,
		)
	);
}
