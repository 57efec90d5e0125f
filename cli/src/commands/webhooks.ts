import type { Call, Command } from "../command.ts";
import { type Output, toRow } from "../output.ts";
import { listCommand } from "../pages.ts";
import { findOrganization, parseUuid } from "../values.ts";

export const endpointCommands: readonly Command[] = [
	listCommand({
		line: "endpoints list <organization>",
		summary: "Lists an organization's webhook endpoints",
		read: async (call, page) => {
			const { id: organizationId } = await findOrganization(call);
			const client = call.clients.endpoints();
			const response = await client.listEndpoints({ organizationId, page });
			return { items: response.endpoints, next: response.next };
		},
		toRow: (endpoint) => ({
			...toRow(endpoint, "id", "url"),
			events: endpoint.subscribedEvents.join(","),
			...toRow(endpoint, "status", "disabledReason", "createdAt"),
		}),
		whenEmpty: "The organization has no webhook endpoints.",
	}),
];

export const deliveryCommands: readonly Command[] = [
	{
		line: "deliveries list <message-id>",
		summary: "Lists the webhook deliveries of one message's event",
		run: async (call) => {
			const messageId = parseUuid(call, "message-id");
			const webhooks = call.clients.webhooks();
			const { deliveries } = await webhooks.listDeliveries({ messageId });
			const found = deliveries.map((delivery) => ({
				...toRow(delivery, "eventId", "endpointId", "status", "attempts"),
				http_status: delivery.lastHttpStatus || undefined,
				error: delivery.lastError,
				...toRow(delivery, "nextAttemptAt"),
			}));
			const whenEmpty = "No endpoint subscribes to this message's event.";
			return { content: found, whenEmpty };
		},
	},
	{
		line: "deliveries oldest",
		summary:
			"Lists the webhook deliveries that have waited longest, of all organizations",
		run: async (call) => {
			const webhooks = call.clients.webhooks();
			const { deliveries } = await webhooks.listOldestDeliveries({});
			const found = deliveries.map(({ organizationId, url, delivery }) => ({
				organization_id: organizationId,
				...toRow(delivery, "messageId", "eventId"),
				url,
				...toRow(delivery, "attempts"),
				http_status: delivery?.lastHttpStatus || undefined,
				error: delivery?.lastError,
				...toRow(delivery, "createdAt", "nextAttemptAt"),
			}));
			return { content: found, whenEmpty: "No delivery waits." };
		},
	},
	{
		line: "deliveries count <organization>",
		summary: "Counts an organization's webhook deliveries by status",
		run: async (call) => {
			const { id: organizationId } = await findOrganization(call);
			const webhooks = call.clients.webhooks();
			const { counts } = await webhooks.countDeliveries({ organizationId });
			const found = Object.entries(counts)
				.sort(([one], [other]) => one.localeCompare(other))
				.map(([status, deliveries]) => ({ status, deliveries }));
			const whenEmpty = "The organization has no deliveries.";
			return { content: found, whenEmpty };
		},
	},
	{
		line: "deliveries redrive <organization>",
		summary:
			"Sends an organization's dead webhook deliveries again, where their endpoints are active",
		run: redrive,
	},
];

async function redrive(call: Call): Promise<Output> {
	const { id: organizationId } = await findOrganization(call);
	const webhooks = call.clients.webhooks();
	const countDead = async () =>
		(await webhooks.countDeliveries({ organizationId })).counts.dead ?? 0n;
	// What dies again meanwhile is not sent once more: while its fault lasts this would never end.
	const dead = await countDead();
	let redriven = 0;
	while (redriven < dead) {
		const batch = await webhooks.redriveDeliveries({ organizationId });
		if (batch.redriven === 0) break;
		redriven += batch.redriven;
	}
	const still_dead = await countDead();
	const note =
		"Deliveries that are still dead belong to disabled or deleted endpoints: see endpoints list.";
	return {
		content: { organization_id: organizationId, redriven, still_dead },
		note: still_dead === 0n ? undefined : note,
	};
}
