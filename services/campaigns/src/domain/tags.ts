import { invalid } from "@airtower/platform/runtime/domain-error";
import { isLongerThan, isPlain } from "@airtower/proto/rules/plain-text";

const MAX_TAGS = 50;
const MAX_TAG_LENGTH = 64;

/** Trims, lower-cases, de-duplicates and sorts tags; empty ones fall away. Throws invalid `invalid_tags`. */
export function normalizeTags(
	tags: readonly string[],
	field: string,
): string[] {
	const distinct = new Set(tags.map(normalizeTag).filter((tag) => tag !== ""));
	const refuse = (why: string) => invalid("invalid_tags", field, why);
	if (distinct.size > MAX_TAGS)
		throw refuse(`At most ${MAX_TAGS} tags are allowed.`);
	for (const tag of distinct) {
		if (isLongerThan(tag, MAX_TAG_LENGTH))
			throw refuse(`A tag has at most ${MAX_TAG_LENGTH} characters.`);
		if (!isPlain(tag))
			throw refuse(
				"A tag may contain neither control characters nor changes of the direction of text.",
			);
	}
	return [...distinct].sort();
}

/** The form in which a tag is stored and looked up: one for what looks alike, whichever way its accents came (NFC). */
export function normalizeTag(tag: string): string {
	return tag.trim().toLowerCase().normalize();
}
