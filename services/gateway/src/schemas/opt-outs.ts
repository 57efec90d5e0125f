import { z } from "zod";
import { successBody, uuidText } from "./common.ts";
import { examples, timeExample } from "./examples.ts";
import { recipientFilter } from "./filters.ts";
import { pageQuery } from "./pages.ts";
import { requestSenderIdBody } from "./sender-ids.ts";
import { PHONE_DESCRIPTION, phoneText, storableText } from "./texts.ts";
import { time } from "./times.ts";

const MAX_RECIPIENT = 32;

export const addOptOutBody = z
	.strictObject({
		recipient: phoneText(MAX_RECIPIENT).meta({
			description: `Number that is sent nothing more: ${PHONE_DESCRIPTION}`,
		}),
		sender: requestSenderIdBody.shape.value.optional().meta({
			description:
				"Sender whose messages it does not get, written in any case. Without it: those of all senders.",
		}),
	})
	.meta({ id: "AddOptOutRequest", description: "A number to list." })
	.register(examples, {
		example: { recipient: "+33612345699", sender: "ACME" },
	});

export const optOut = z
	.strictObject({
		id: uuidText(),
		recipient: z.string().nullable().meta({
			description:
				"E.164; null once the person's data was erased. The number is sent nothing all the same.",
		}),
		sender: z.string().nullable().meta({
			description:
				"Sender whose messages the number does not get; null for all senders.",
		}),
		source: z.enum(["keyword", "api", "import", "whatsapp"]).meta({
			description:
				"`keyword`: the recipient wrote a word such as STOP. `api`, `import`: you or an admin listed the number. `whatsapp`: the user stopped marketing messages there; ends when the user resumes them.",
		}),
		created_at: time(),
	})
	.meta({ id: "OptOut", description: "A number that is sent nothing." })
	.register(examples, {
		example: {
			id: "0199b0a9-6c1d-7d2e-8f3a-4b5c6d7e8f90",
			recipient: "+33612345699",
			sender: "ACME",
			source: "keyword",
			created_at: timeExample,
		},
	});

export const addOptOutReply = successBody({ optOut });

/** The columns of an export; an import reads the first two, and takes the others too. */
export const optOutColumns = [
	"recipient",
	"sender",
	"source",
	"created_at",
] as const;

export const importOptOutsBody = z
	.strictObject({
		csv: storableText().meta({
			description: [
				"A table as RFC 4180 says, with commas. Its first line names the columns: `recipient`, and where an opt-out is of",
				"one sender `sender`; those of an export may be there too, and are not read.",
			].join(" "),
		}),
	})
	.meta({ id: "ImportOptOutsRequest", description: "A list of numbers." })
	.register(examples, {
		example: {
			csv: "recipient,sender\r\n+33612345698,\r\n+33612345697,ACME\r\n",
		},
	});

const count = (description: string) => z.int().min(0).meta({ description });

export const importOptOutsReply = successBody({
	added: count("Entries that are new on the list.").register(examples, {
		example: 2,
	}),
	alreadyListed: count(
		"Entries that were on the list before, or came twice.",
	).register(examples, { example: 0 }),
});

export const exportOptOutsReply = z
	.string()
	.meta({
		description: `A table with the columns ${optOutColumns.join(", ")}.`,
	})
	.register(examples, {
		example: `recipient,sender,source,created_at\r\n+33612345699,ACME,keyword,${timeExample}\r\n`,
	});

export const optOutsQuery = pageQuery.extend({ recipient: recipientFilter });

export const optOutParams = z.strictObject({
	optOutId: z
		.string()
		.meta({ format: "uuid", description: "Id of the opt-out." }),
});
