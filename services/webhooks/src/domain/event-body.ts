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

function publicError(outcome: Outcome) {
	if (outcome.errorCode === "") return null;
	return { code: outcome.errorCode, message: outcome.errorMessage };
}
