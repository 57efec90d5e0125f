import { countSeptets } from "@airtower/proto/rules/segments";

/** Characters outside GSM 03.38 that have a common plain form; accents that can be taken off need no entry. */
const PLAIN_FORMS: ReadonlyMap<string, string> = new Map(
	Object.entries({
		"'": "‘’‚‛′ʼ`´",
		'"': "“”„‟″",
		"<": "‹",
		">": "›",
		"<<": "«",
		">>": "»",
		"-": "‐‑‒–—―−",
		"...": "…",
		" ": "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\t",
		"": "\u00ad\u200b\u200c\u200d\u2060\ufeff\ufe0e\ufe0f",
		"*": "•·",
		"/": "⁄∕",
		"(c)": "©",
		"(r)": "®",
		TM: "™",
		No: "№",
		fi: "ﬁ",
		fl: "ﬂ",
		ö: "ő",
		Ö: "Ő",
		ü: "ű",
		Ü: "Ű",
		l: "ł",
		L: "Ł",
		d: "đ",
		D: "ĐÐ",
		i: "ı",
		th: "þ",
		Th: "Þ",
		h: "ħ",
		H: "Ħ",
		t: "ŧ",
		T: "Ŧ",
		oe: "œ",
		OE: "Œ",
		SS: "ẞ",
		o: "º",
		a: "ª",
	}).flatMap(([plain, characters]) =>
		[...characters].map((character) => [character, plain] as const),
	),
);

const MARKS = /\p{M}/gu;

/** The text in GSM 03.38, each character as it is or in its common plain form; undefined where one has none. */
export function transliterate(text: string): string | undefined {
	let plain = "";
	for (const character of text.normalize("NFC")) plain += plainForm(character);
	return countSeptets(plain) === undefined ? undefined : plain;
}

function plainForm(character: string): string {
	if (countSeptets(character) !== undefined) return character;
	const known = PLAIN_FORMS.get(character);
	return known ?? character.normalize("NFD").replace(MARKS, "");
}
