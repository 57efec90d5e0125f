import type { DisabledReason } from "./endpoint-state.ts";

export interface Outcome {
	readonly messageId: string;
	readonly channel: string;
	readonly status: string;
	/** E.164 with "+". */
	readonly to: string;
	readonly clientReference: string;
	readonly campaignId: string;
	readonly errorCode: string;
	readonly errorMessage: string;
	readonly occurredAt: Date;
}

export interface PublicEvent {
	readonly id: string;
	readonly type: string;
	readonly createdAt: Date;
	readonly outcome: Outcome;
}

/** The text that is stored, signed and sent. */
export function eventBody(event: PublicEvent): string {
	const { outcome } = event;
	return JSON.stringify({
		id: event.id,
		type: event.type,
		created_at: event.createdAt.toISOString(),
		data: {
			message_id: outcome.messageId,
			channel: outcome.channel,
			status: outcome.status,
			to: outcome.to,
			client_reference: outcome.clientReference || null,
			campaign_id: outcome.campaignId || null,
			error: publicError(outcome),
			occurred_at: outcome.occurredAt.toISOString(),
		},
	});
}

export interface DisabledEvent {
	readonly id: string;
	readonly endpointId: string;
	readonly url: string;
	readonly reason: DisabledReason;
	readonly disabledAt: Date;
}

/** The body of a `webhook.disabled` event, which other endpoints of the organization get. */
export function disabledBody(event: DisabledEvent): string {
	const at = event.disabledAt.toISOString();
	return JSON.stringify({
		id: event.id,
		type: "webhook.disabled",
		created_at: at,
		data: {
			webhook_endpoint_id: event.endpointId,
			url: event.url,
			disabled_reason: event.reason,
			disabled_at: at,
		},
	});
}

function publicError(outcome: Outcome) {
	if (outcome.errorCode === "") return null;
	return { code: outcome.errorCode, message: outcome.errorMessage };
}
