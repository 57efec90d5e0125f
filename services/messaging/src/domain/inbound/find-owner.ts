import { firstWord } from "./first-word.ts";

interface OwnedNumber {
	readonly number: string;
	readonly keyword: string | null;
	readonly organizationId: string;
}

interface Owner {
	/** Null where nobody has the number. */
	readonly organizationId: string | null;
	/** By which the organization has the text. */
	readonly keyword: string | null;
}

/** A keyword of the number wins over who has the rest of its texts. */
export function findOwner(
	numbers: readonly OwnedNumber[],
	recipient: string,
	body: string,
): Owner {
	const word = firstWord(body);
	const own = numbers.filter(({ number }) => number === recipient);
	const owner =
		own.find(({ keyword }) => keyword === word) ??
		own.find(({ keyword }) => keyword === null);
	return owner ?? { organizationId: null, keyword: null };
}
