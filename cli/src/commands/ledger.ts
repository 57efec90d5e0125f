import type { Call, Command } from "../command.ts";
import { type Output, toRow } from "../output.ts";
import { listCommand } from "../pages.ts";
import { organizationIdFrom } from "../values.ts";

export const ledgerCommands: readonly Command[] = [
	listCommand({
		line: "ledger undebited",
		summary: "Lists the messages that are stored and were not paid for",
		read: async ({ clients }, page) => {
			const accounts = clients.accounts();
			const { messages, next } = await accounts.listUndebitedMessages({ page });
			return { items: messages, next };
		},
		toRow: (message) =>
			toRow(message, "messageId", "organizationId", "reason", "foundAt"),
		whenEmpty: "Every message was paid for.",
	}),
	{
		line: "ledger settle <organization>",
		summary: "Takes an organization's undebited messages from its balance",
		run: (call) => settle(call, false),
	},
	{
		line: "ledger waive <organization>",
		summary:
			"Waives an organization's undebited messages: its balance stays as it is",
		run: (call) => settle(call, true),
	},
];

async function settle(call: Call, waive: boolean): Promise<Output> {
	const organizationId = await organizationIdFrom(call);
	const accounts = call.clients.accounts();
	let messages = 0;
	for (;;) {
		const { settled, balance } = await accounts.settleUndebitedMessages({
			organizationId,
			waive,
		});
		messages += settled;
		if (settled === 0)
			return {
				content: { organization_id: organizationId, messages, balance },
			};
	}
}
