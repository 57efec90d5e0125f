import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import type { PhoneNumber } from "@airtower/proto/whatsapp/v1/admin";
import { type Command, CommandError } from "../command.ts";
import { type Row, record, rows } from "../output.ts";
import { userPath } from "../user-path.ts";
import { dateOf, findOrganization } from "../values.ts";

export const registerNumber: Command = {
	name: "numbers register",
	summary:
		"Registers a WhatsApp number with its access token, or gives it another one",
	args: ["organization", "phone"],
	options: {
		"provider-number-id": {
			value: "id",
			about: "the provider's id of the number",
			required: true,
		},
		"provider-account-id": {
			value: "id",
			about: "the provider's id of the business account",
			required: true,
		},
		"token-file": {
			value: "path",
			about: "file that holds the access token; - reads it from the input",
			required: true,
		},
	},
	run: async (call) => {
		const accessToken = await readToken(call.text("token-file"));
		const { id: organizationId, state } = await findOrganization(call);
		if (state === "closed")
			throw new CommandError(
				"The organization is closed and may not send.",
				"organization_closed",
			);
		const { phoneNumber } = await call.clients.whatsapp.registerPhoneNumber({
			organizationId,
			phone: call.text("phone"),
			providerPhoneNumberId: call.text("provider-number-id"),
			providerAccountId: call.text("provider-account-id"),
			accessToken,
		});
		return record(phoneNumber === undefined ? {} : rowOf(phoneNumber));
	},
};

export const listNumbers: Command = {
	name: "numbers list",
	summary: "Lists an organization's WhatsApp numbers",
	args: ["organization"],
	run: async (call) => {
		const { id: organizationId } = await findOrganization(call);
		const { phoneNumbers } = await call.clients.whatsapp.listPhoneNumbers({
			organizationId,
		});
		return rows(phoneNumbers.map(rowOf), "The organization has no numbers.");
	},
};

/** From a file, because other users of a machine see the arguments of a process. */
async function readToken(path: string): Promise<string> {
	try {
		const content =
			path === "-"
				? await text(process.stdin)
				: await readFile(userPath(path), "utf8");
		return content.trim();
	} catch {
		throw new CommandError(`The token file ${path} cannot be read.`);
	}
}

function rowOf(number: PhoneNumber): Row {
	return {
		id: number.id,
		phone: number.phone,
		status: number.status,
		stopped_reason: number.stoppedReason,
		created_at: dateOf(number.createdAt),
	};
}
