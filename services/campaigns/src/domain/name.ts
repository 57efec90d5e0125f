import { invalid } from "@airtower/platform/runtime/domain-error";
import { isPlain } from "@airtower/proto/rules/plain-text";

/** The name without spaces around it; throws invalid `too_short` or `invalid_characters` on the field `name`. */
export function readName(text: string): string {
	const name = text.trim();
	if (name === "")
		throw invalid("too_short", "name", "A name has 1 to 200 characters.");
	if (!isPlain(name))
		throw invalid(
			"invalid_characters",
			"name",
			"A name may contain neither control characters nor changes of the direction of text.",
		);
	return name;
}
