import type { SenderId } from "@airtower/proto/messaging/v1/messaging";
import type { Call, Command } from "../command.ts";
import { CommandError } from "../errors.ts";
import { type Output, type Row, toRow } from "../output.ts";
import { findOrganization } from "../values.ts";

const REASON = { "--reason <text>": "why, shown to the organization" };

export const senderCommands: readonly Command[] = [
	{
		line: "senders pending",
		summary:
			"Lists the sender IDs that wait for a decision, and who else has the same one approved",
		run: listPending,
	},
	{
		line: "senders list <organization>",
		summary: "Lists an organization's sender IDs",
		run: async (call) => {
			const { id: organizationId } = await findOrganization(call);
			const senders = call.clients.senders();
			const { senderIds } = await senders.listSenderIds({ organizationId });
			const whenEmpty = "The organization has no sender IDs.";
			return { content: senderIds.map(show), whenEmpty };
		},
	},
	{
		line: "senders approve <organization> <sender>",
		summary: "Approves a sender ID, given by its id or value",
		run: (call) => decide(call, "approved"),
	},
	{
		line: "senders reject <organization> <sender>",
		summary: "Rejects a sender ID, given by its id or value",
		required: REASON,
		run: (call) => decide(call, "rejected"),
	},
	{
		line: "senders suspend <organization> <sender>",
		summary: "Suspends an approved sender ID, given by its id or value",
		required: REASON,
		run: (call) => decide(call, "suspended"),
	},
];

async function listPending({ clients }: Call): Promise<Output> {
	const messaging = clients.messaging();
	const accounts = clients.accounts();
	const { senderIds, more } = await messaging.listPendingSenderIds({});
	const ids = new Set(
		senderIds.flatMap(({ organizationId, approvedFor }) => [
			organizationId,
			...approvedFor,
		]),
	);
	const organizations = await Promise.all(
		[...ids].map((organizationId) =>
			accounts.getOrganization({ organizationId }),
		),
	);
	const names = new Map(
		organizations.map(({ organization: one }) => [one?.id, one?.name]),
	);
	const found = senderIds.map(({ organizationId, senderId, approvedFor }) => ({
		organization_id: organizationId,
		organization: names.get(organizationId),
		...toRow(senderId, "id", "value", "createdAt"),
		approved_for: approvedFor.map((id) => names.get(id) ?? id).join(", "),
	}));
	const note = more ? "There are more; decide these first." : undefined;
	const whenEmpty = "No sender ID waits for a decision.";
	return { content: found, whenEmpty, note };
}

async function decide(call: Call, status: string): Promise<Output> {
	const { id: organizationId } = await findOrganization(call);
	const messaging = call.clients.messaging();
	const senders = call.clients.senders();
	const given = call.text("sender");
	const { senderIds } = await senders.listSenderIds({ organizationId });
	const found = senderIds.find(({ id, value }) => [id, value].includes(given));
	if (found === undefined)
		throw new CommandError(`The organization has no sender ID "${given}".`);
	const { senderId } = await messaging.decideSenderId({
		organizationId,
		senderId: found.id,
		status,
		reason: call.option("reason") ?? "",
	});
	return { content: show(senderId ?? found) };
}

function show(sender: SenderId): Row {
	return {
		...toRow(sender, "id", "value", "status", "isDefault"),
		reason: sender.rejectionReason,
		...toRow(sender, "createdAt", "decidedAt"),
	};
}
