import { countSeptets, splitText } from "@airtower/proto/rules/segments";
import { transliterate } from "./transliteration.ts";

/** Most different characters outside of GSM-7 that are described. */
const MAX_CHARACTERS = 20;
/** Most places of one character that are named. */
const MAX_POSITIONS = 10;

interface TextParts {
	readonly encoding: "gsm7" | "ucs2";
	/** Length of each part: septets of GSM-7, or UTF-16 units of UCS-2. */
	readonly partUnits: readonly number[];
}

/** A character outside of GSM-7, one Unicode code point. */
interface ForeignCharacter {
	readonly character: string;
	readonly count: number;
	/** The first places where it stands: UTF-16 units before it. */
	readonly positions: readonly number[];
	/** Its common form in GSM-7, which may be empty; undefined when it has none. */
	readonly plain: string | undefined;
}

interface ForeignCharacters {
	/** The first ones, in the order of the text. */
	readonly characters: readonly ForeignCharacter[];
	/** How many different ones there are. */
	readonly count: number;
}

export function describeParts(text: string): TextParts {
	const { encoding, parts } = splitText(text);
	const partUnits = parts.map((part) =>
		encoding === "gsm7" ? (countSeptets(part) ?? 0) : part.length,
	);
	return { encoding, partUnits };
}

/** What forces a text into UCS-2, and what each of it could become. */
export function findForeignCharacters(text: string): ForeignCharacters {
	const found = new Map<string, { count: number; positions: number[] }>();
	let position = 0;
	for (const character of text) {
		if (countSeptets(character) === undefined) {
			const known = found.get(character) ?? { count: 0, positions: [] };
			found.set(character, known);
			known.count++;
			if (known.positions.length < MAX_POSITIONS)
				known.positions.push(position);
		}
		position += character.length;
	}
	const characters = [...found]
		.slice(0, MAX_CHARACTERS)
		.map(([character, places]) => ({
			character,
			...places,
			plain: transliterate(character),
		}));
	return { characters, count: found.size };
}
