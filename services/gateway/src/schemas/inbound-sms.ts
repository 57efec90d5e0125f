import { z } from "zod";

/** What a text that came in says, in lists and in callbacks alike. */
export const inboundText = {
	from: z.string().meta({
		description:
			"Who wrote it: E.164, a short code or a name; empty once the number was erased.",
	}),
	to: z.string().meta({
		description: "Number that it was sent to: E.164 or a short code.",
	}),
	text: z.string().meta({
		description:
			"Empty for binary content, and once it was erased or its retention ended.",
	}),
	encoding: z.string().meta({
		description: "Alphabet that it came in: `gsm7`, `ucs2` or `binary`.",
	}),
	parts: z.int().meta({ description: "Parts that it consists of." }),
	is_complete: z.boolean().meta({
		description:
			"False where parts did not come in time: each gap shows in the text.",
	}),
	keyword: z.string().nullable().meta({
		description: "Keyword by which a shared number found the organization.",
	}),
};
