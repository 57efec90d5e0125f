import type { SenderId } from "@airtower/proto/messaging/v1/messaging";
import {
	type Call,
	type Command,
	CommandError,
	type OptionSpec,
} from "../command.ts";
import { type Output, type Row, record, rows } from "../output.ts";
import { dateOf, findOrganization } from "../values.ts";

const REASON: OptionSpec = {
	value: "text",
	about: "why, shown to the organization",
	required: true,
};

export const listSenders: Command = {
	name: "senders list",
	summary: "Lists an organization's sender IDs",
	args: ["organization"],
	run: async (call) => {
		const senders = await sendersOf(call, (await findOrganization(call)).id);
		return rows(senders.map(rowOf), "The organization has no sender IDs.");
	},
};

export const listPendingSenders: Command = {
	name: "senders pending",
	summary: "Lists the sender IDs of all organizations that wait for a decision",
	args: [],
	run: async ({ clients }) => {
		const { senderIds, more } = await clients.messaging.listPendingSenderIds(
			{},
		);
		const ids = new Set(senderIds.map((pending) => pending.organizationId));
		const names = await namesOf(clients, [...ids]);
		return rows(
			senderIds.map(({ organizationId, senderId }) => ({
				organization_id: organizationId,
				organization: names.get(organizationId),
				id: senderId?.id,
				value: senderId?.value,
				created_at: dateOf(senderId?.createdAt),
			})),
			"No sender ID waits for a decision.",
			more ? "There are more; decide these first." : undefined,
		);
	},
};

export const approveSender: Command = {
	name: "senders approve",
	summary: "Approves a sender ID, given by its id or value",
	args: ["organization", "sender"],
	run: (call) => decide(call, "approved"),
};

export const rejectSender: Command = {
	name: "senders reject",
	summary: "Rejects a sender ID, given by its id or value",
	args: ["organization", "sender"],
	options: { reason: REASON },
	run: (call) => decide(call, "rejected"),
};

export const suspendSender: Command = {
	name: "senders suspend",
	summary: "Suspends an approved sender ID, given by its id or value",
	args: ["organization", "sender"],
	options: { reason: REASON },
	run: (call) => decide(call, "suspended"),
};

async function namesOf(
	{ accounts }: Call["clients"],
	organizationIds: readonly string[],
): Promise<Map<string, string | undefined>> {
	const names = organizationIds.map(async (organizationId) => {
		const { organization } = await accounts.getOrganization({ organizationId });
		return [organizationId, organization?.name] as const;
	});
	return new Map(await Promise.all(names));
}

async function sendersOf(
	{ clients }: Call,
	organizationId: string,
): Promise<SenderId[]> {
	const { senderIds } = await clients.senders.listSenderIds({ organizationId });
	return senderIds;
}

async function decide(call: Call, status: string): Promise<Output> {
	const { id: organizationId } = await findOrganization(call);
	const given = call.text("sender");
	const senders = await sendersOf(call, organizationId);
	const found = senders.find(({ id, value }) => [id, value].includes(given));
	if (found === undefined)
		throw new CommandError(`The organization has no sender ID "${given}".`);
	const { senderId } = await call.clients.messaging.decideSenderId({
		organizationId,
		senderId: found.id,
		status,
		reason: call.option("reason") ?? "",
	});
	return record(rowOf(senderId ?? found));
}

function rowOf(sender: SenderId): Row {
	return {
		id: sender.id,
		value: sender.value,
		status: sender.status,
		is_default: sender.isDefault,
		reason: sender.rejectionReason,
		created_at: dateOf(sender.createdAt),
		decided_at: dateOf(sender.decidedAt),
	};
}
