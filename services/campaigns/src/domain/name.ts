import { invalid } from "@airtower/platform/runtime/domain-error";

/** The name without spaces around it; throws invalid `too_short` on the field `name`. */
export function readName(text: string): string {
	const name = text.trim();
	if (name === "" || name.includes("\0"))
		throw invalid("too_short", "name", "A name has 1 to 200 characters.");
	return name;
}
