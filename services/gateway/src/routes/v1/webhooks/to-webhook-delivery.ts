import type { Delivery } from "@airtower/proto/webhooks/v1/delivery";
import { webhookDelivery } from "../../../schemas/webhook-deliveries.ts";
import { toRecord } from "../../to-record.ts";

/** Failures that are ours, which the owner can do nothing about. */
const OWN_FAILURES: ReadonlySet<string> = new Set([
	"secret_unreadable",
	"egress_failed",
]);

export function toWebhookDelivery(delivery: Delivery) {
	const { eventId, endpointId, status, lastHttpStatus, lastError } = delivery;
	return toRecord(webhookDelivery, {
		...delivery,
		id: `${eventId}.${endpointId}`,
		webhookEndpointId: endpointId,
		status: status === "dead" ? "failed" : status,
		lastHttpStatus: lastHttpStatus || undefined,
		lastError: OWN_FAILURES.has(lastError) ? "not_sent" : lastError,
	});
}
