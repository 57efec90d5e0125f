import type { Command } from "../command.ts";
import { record, rows } from "../output.ts";
import { dateOf, findOrganization, uuidOf } from "../values.ts";

export const listDeliveries: Command = {
	name: "deliveries list",
	summary: "Lists the webhook deliveries of one message's event",
	args: ["message-id"],
	run: async (call) => {
		const messageId = uuidOf(call, "message-id");
		const { deliveries } = await call.clients.webhooks.listDeliveries({
			messageId,
		});
		const found = deliveries.map((delivery) => ({
			event_id: delivery.eventId,
			endpoint_id: delivery.endpointId,
			status: delivery.status,
			attempts: delivery.attempts,
			http_status: delivery.lastHttpStatus || undefined,
			error: delivery.lastError,
			next_attempt_at: dateOf(delivery.nextAttemptAt),
		}));
		return rows(found, "No endpoint was to be told of this message.");
	},
};

export const countDeliveries: Command = {
	name: "deliveries count",
	summary: "Counts an organization's webhook deliveries by status",
	args: ["organization"],
	run: async (call) => {
		const { counts } = await call.clients.webhooks.countDeliveries({
			organizationId: (await findOrganization(call)).id,
		});
		const found = Object.entries(counts)
			.sort(([one], [other]) => one.localeCompare(other))
			.map(([status, deliveries]) => ({ status, deliveries }));
		return rows(found, "The organization has no deliveries.");
	},
};

export const redriveDeliveries: Command = {
	name: "deliveries redrive",
	summary:
		"Makes an organization's dead webhook deliveries to active endpoints due again",
	args: ["organization"],
	run: async (call) => {
		const { id: organizationId } = await findOrganization(call);
		const { webhooks } = call.clients;
		let redriven = 0;
		for (;;) {
			const batch = await webhooks.redriveDeliveries({ organizationId });
			if (batch.redriven === 0) break;
			redriven += batch.redriven;
		}
		const { counts } = await webhooks.countDeliveries({ organizationId });
		const stillDead = counts.dead ?? 0n;
		return {
			...record({
				organization_id: organizationId,
				redriven,
				still_dead: stillDead,
			}),
			note:
				stillDead === 0n
					? undefined
					: "What is still dead was for endpoints that are disabled or deleted: see endpoints list.",
		};
	},
};
