import { z } from "zod";
import { examples, timeExample } from "./examples.ts";
import { pageQuery } from "./pages.ts";
import {
	filledText,
	nameText,
	PHONE_DESCRIPTION,
	phoneText,
	plainText,
	text,
} from "./texts.ts";
import { time } from "./times.ts";

const MAX_NAME = 200;
const MAX_PHONE = 32;
const MAX_EMAIL = 254;
/** What the service takes, once it is trimmed, or none; in the words of JSON Schema. */
const EMAIL =
	"^\\s*(?:[^\\s@\\u0000]+@[^\\s@\\u0000]+\\.[^\\s@\\u0000]+)?\\s*$";
const MAX_TAG = 64;
/** Of 15 digits. */
const MAX_ID = 999_999_999_999_999;
/** Entries of a list of tags as it comes; how many a contact may have counts what is left of them. */
const MAX_GIVEN_TAGS = 1_000;
/** Characters of one tag as it comes, or of all of them as one text. */
const MAX_GIVEN_TEXT = 3_300;

const tags = z
	.union([
		z.array(plainText(0, MAX_GIVEN_TEXT)).max(MAX_GIVEN_TAGS),
		plainText(0, MAX_GIVEN_TEXT),
	])
	.meta({
		description: [
			"Tags as a list, or as one text with commas. They are trimmed, lower-cased, sorted and made distinct;",
			"then there are at most 50 of at most 64 characters.",
		].join(" "),
	});

export const createContactBody = z
	.strictObject({
		name: nameText(MAX_NAME),
		phone: phoneText(MAX_PHONE).meta({ description: PHONE_DESCRIPTION }),
		email: text(0, MAX_EMAIL).optional().meta({ pattern: EMAIL }),
		tags: tags.optional(),
	})
	.meta({ id: "CreateContactRequest", description: "A new contact." })
	.register(examples, {
		example: {
			name: "Ada Lovelace",
			phone: "+33612345678",
			email: "ada@example.com",
			tags: ["gold", "paris"],
		},
	});

export const contact = z
	.strictObject({
		id: z.int(),
		name: z.string(),
		phone: z.string().meta({ description: "E.164." }),
		email: z.string().nullable(),
		tags: z.array(z.string()),
		created_at: time(),
	})
	.meta({ id: "Contact", description: "Somebody whom campaigns are sent to." })
	.register(examples, {
		example: {
			id: 42,
			name: "Ada Lovelace",
			phone: "+33612345678",
			email: "ada@example.com",
			tags: ["gold", "paris"],
			created_at: timeExample,
		},
	});

export const contactsQuery = pageQuery.extend({
	tag: filledText(MAX_TAG).optional().meta({
		description: "Only contacts that carry this tag.",
	}),
});

export const deleteContactQuery = z.strictObject({
	id: z
		.string()
		.refine((value) => /^[1-9]\d{0,14}$/.test(value), {
			params: { code: "invalid_format" },
			message: "must be the id of a contact, a whole number",
		})
		.transform(Number)
		.meta({
			type: "integer",
			minimum: 1,
			maximum: MAX_ID,
			description: "Id of the contact.",
		}),
});
