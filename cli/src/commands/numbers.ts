import type { PhoneNumber } from "@airtower/proto/whatsapp/v1/admin";
import type { Call, Command } from "../command.ts";
import { CommandError } from "../errors.ts";
import { type Output, type Row, toRow } from "../output.ts";
import { readSecret } from "../secret-file.ts";
import { findOrganization } from "../values.ts";

export const numberCommands: readonly Command[] = [
	{
		line: "numbers register <organization> <phone>",
		summary:
			"Registers a WhatsApp number with its access token, or gives it another one",
		required: {
			"--provider-number-id <id>": "the provider's id of the number",
			"--provider-account-id <id>": "the provider's id of the business account",
			"--token-file <path>":
				"file with the access token; - reads it from the input",
		},
		run: registerNumber,
	},
	{
		line: "numbers list <organization>",
		summary: "Lists an organization's WhatsApp numbers",
		run: async (call) => {
			const { id: organizationId } = await findOrganization(call);
			const whatsapp = call.clients.whatsapp();
			const { phoneNumbers } = await whatsapp.listPhoneNumbers({
				organizationId,
			});
			const whenEmpty = "The organization has no numbers.";
			return { content: phoneNumbers.map(show), whenEmpty };
		},
	},
	{
		line: "numbers stopped",
		summary:
			"Lists the WhatsApp numbers that the provider refuses, of all organizations, with what registers them again",
		run: async (call) => {
			const { numbers } = await call.clients.whatsapp().listStoppedNumbers({});
			const found = numbers.map(({ organizationId, phoneNumber, ...ids }) => ({
				organization_id: organizationId,
				...toRow(phoneNumber, "phone", "stoppedReason"),
				provider_number_id: ids.providerPhoneNumberId,
				provider_account_id: ids.providerAccountId,
			}));
			return { content: found, whenEmpty: "No number is stopped." };
		},
	},
	{
		line: "numbers remove <organization> <number>",
		summary:
			"Removes a WhatsApp number, given by its id or phone; what waits to be sent from it fails",
		run: removeNumber,
	},
];

async function removeNumber(call: Call): Promise<Output> {
	const { id: organizationId } = await findOrganization(call);
	const given = call.text("number");
	const whatsapp = call.clients.whatsapp();
	const { phoneNumbers } = await whatsapp.listPhoneNumbers({ organizationId });
	const found = phoneNumbers.find(({ id, phone }) =>
		[id, phone].includes(given),
	);
	if (found === undefined)
		throw new CommandError(
			`The organization has no WhatsApp number "${given}".`,
		);
	const phoneNumberId = found.id;
	await whatsapp.removePhoneNumber({ organizationId, phoneNumberId });
	return { content: { ...show(found), status: "removed" } };
}

async function registerNumber(call: Call): Promise<Output> {
	const accessToken = await readSecret("token", call.text("token-file"));
	const { id: organizationId, state } = await findOrganization(call);
	if (state === "closed")
		throw new CommandError(
			"The organization is closed and may not send.",
			"organization_closed",
		);
	const { phoneNumber } = await call.clients.whatsapp().registerPhoneNumber({
		organizationId,
		phone: call.text("phone"),
		providerPhoneNumberId: call.text("provider-number-id"),
		providerAccountId: call.text("provider-account-id"),
		accessToken,
	});
	return { content: show(phoneNumber) };
}

function show(number: PhoneNumber | undefined): Row {
	return toRow(number, "id", "phone", "status", "stoppedReason", "createdAt");
}
