import { uuidv7 } from "@airtower/platform/runtime/ids";
import { eventually } from "@airtower/platform/testing/eventually";
import { freshPhone, HOOK } from "./bodies.ts";
import type { TypedClient } from "./client.ts";
import type { Invalid, Owner, Row } from "./row.ts";

const MOST_KEPT = 5;
const UNKNOWN = {
	path: `/webhooks/${uuidv7()}`,
	code: "unknown_webhook_endpoint",
};
const noQuery: readonly Invalid[] = [{ query: "x=1", field: "x" }];

/** Makes room for another endpoint. */
async function tidy(client: TypedClient): Promise<void> {
	const { webhookEndpoints } = await client.get("/webhooks");
	for (const { id } of webhookEndpoints.slice(MOST_KEPT))
		await client.delete("/webhooks/{webhookEndpointId}", { segment: id });
}

async function freshWebhook(client: TypedClient): Promise<string> {
	await tidy(client);
	const { webhookEndpoint } = await client.post("/webhooks", {
		...HOOK,
		subscribed_events: [...HOOK.subscribed_events],
	});
	return webhookEndpoint.id;
}

/** A delivery to an endpoint that nobody listens at. */
async function deliveryOf({ client }: Owner): Promise<string> {
	const id = await freshWebhook(client);
	await client.post("/sms/send", { to: freshPhone(), message: "hello" });
	return eventually(async () => {
		const { webhookDeliveries } = await client.get(
			`/webhooks/${id}/deliveries` as "/webhooks/{webhookEndpointId}/deliveries",
		);
		const [delivery] = webhookDeliveries;
		if (delivery === undefined) throw new Error("no delivery yet");
		return delivery.id;
	});
}

const webhookPath =
	(rest = "") =>
	async ({ client }: Owner) => ({
		path: `/webhooks/${await freshWebhook(client)}${rest}`,
	});

/** The operations on webhook endpoints but for their list. */
export const webhookRows: readonly Row[] = [
	{
		operation: "post /webhooks",
		success: 202,
		scope: "webhooks:write",
		request: async ({ client }) => {
			await tidy(client);
			return { path: "/webhooks", body: HOOK };
		},
		invalid: [
			{ body: { ...HOOK, url: "ftp://example.com" }, field: "url" },
			{ body: { ...HOOK, subscribed_events: [] }, field: "subscribed_events" },
		],
	},
	{
		operation: "patch /webhooks/{webhookEndpointId}",
		success: 200,
		scope: "webhooks:write",
		request: async (owner) => ({
			...(await webhookPath()(owner)),
			body: { url: `${HOOK.url}/2`, status: "active" },
		}),
		invalid: [
			...noQuery,
			{ body: { url: "ftp://example.com" }, field: "url" },
			{ body: { status: "disabled" }, field: "status" },
		],
		unknown: UNKNOWN,
	},
	{
		operation: "post /webhooks/{webhookEndpointId}/rotate-secret",
		success: 200,
		scope: "webhooks:write",
		request: webhookPath("/rotate-secret"),
		invalid: [...noQuery, { body: { x: 1 }, field: "x" }],
		unknown: { ...UNKNOWN, path: `${UNKNOWN.path}/rotate-secret` },
	},
	{
		operation: "get /webhooks/{webhookEndpointId}/deliveries",
		success: 200,
		scope: "webhooks:read",
		request: webhookPath("/deliveries"),
		invalid: [
			{ query: "limit=0", field: "limit" },
			{ query: "status=lost", field: "status" },
		],
		unknown: { ...UNKNOWN, path: `${UNKNOWN.path}/deliveries` },
	},
	{
		operation: "post /webhooks/deliveries/{webhookDeliveryId}/redeliver",
		success: 202,
		scope: "webhooks:write",
		request: async (owner) => ({
			path: `/webhooks/deliveries/${await deliveryOf(owner)}/redeliver`,
		}),
		invalid: noQuery,
		unknown: {
			path: `/webhooks/deliveries/${uuidv7()}.${uuidv7()}/redeliver`,
			code: "unknown_webhook_delivery",
		},
	},
	{
		operation: "delete /webhooks/{webhookEndpointId}",
		success: 200,
		scope: "webhooks:write",
		request: webhookPath(),
		invalid: noQuery,
		unknown: UNKNOWN,
	},
];
