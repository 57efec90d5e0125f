import { normalizePhoneNumber } from "@airtower/proto/rules/phone-number";
import { z } from "zod";
import { uuidText } from "../common.ts";
import { examples, timeExample } from "../examples.ts";
import { dateFilters, textFilter } from "../filters.ts";
import { pageQuery } from "../pages.ts";
import { time } from "../times.ts";

/** What a text that came in says, in lists and in callbacks alike. */
export const inboundText = {
	from: z.string().meta({
		description:
			"Who wrote it: E.164, a short code or a name; empty once the number was erased.",
	}),
	to: z.string().meta({
		description: "Number that it was sent to: E.164, a short code or a name.",
	}),
	text: z.string().meta({
		description:
			"Of binary content its octets in base64. Empty once it was erased or its retention ended.",
	}),
	encoding: z.string().meta({
		description: "Alphabet that it came in: `gsm7`, `ucs2` or `binary`.",
	}),
	parts: z.int().meta({ description: "Parts that it consists of." }),
	is_complete: z.boolean().meta({
		description:
			"False where parts did not come in time: in the text `[…]` stands for each gap.",
	}),
	keyword: z.string().nullable().meta({
		description: "Keyword by which a shared number found the organization.",
	}),
};

export const inboundExample = {
	from: "+33612345678",
	to: "+33644630001",
	text: "Yes, at nine",
	encoding: "gsm7",
	parts: 1,
	is_complete: true,
	keyword: null,
	received_at: timeExample,
};
export const inboundIdExample = "0199b0a4-8c11-7a3e-9d20-5b7e1f4c6a83";

export const inboundSms = z
	.strictObject({ id: uuidText(), ...inboundText, received_at: time() })
	.meta({
		id: "InboundSms",
		description: "A text that a phone sent to the organization.",
	})
	.register(examples, {
		example: { id: inboundIdExample, ...inboundExample },
	});

const ADDRESS =
	"E.164, the '+' may be left out; national, when the organization has a default country; or a short code or name as lists show it.";

export const inboundSmsQuery = pageQuery.extend({
	from: textFilter(`Only texts of this phone: ${ADDRESS}`),
	to: textFilter(`Only texts to this number: ${ADDRESS}`),
	keyword: textFilter(
		"Only texts that this keyword of a shared number brought, upper and lower case alike.",
	),
	...dateFilters,
});

/**
 * How messaging may have stored an address, none for all: international, or as an operator wrote it. An unescaped '+'
 * arrives as a space.
 */
export function filterAddress(
	value: string | undefined,
	{ defaultCountry }: { readonly defaultCountry: string },
): string[] {
	if (value === undefined) return [];
	const given = value.replace(/^ /, "+");
	const normalized = normalizePhoneNumber(given, defaultCountry) ?? given;
	return [...new Set([given, normalized])];
}
