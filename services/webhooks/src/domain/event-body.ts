import type { DailyReport } from "@airtower/proto/accounts/v1/events";
import { publicDeliverySum } from "@airtower/proto/rules/delivery-sum";
import type { DisabledReason } from "./endpoint-state.ts";

interface Outcome {
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

interface Head {
	readonly id: string;
	readonly type: string;
	readonly createdAt: Date;
}

interface PublicEvent extends Head {
	readonly outcome: Outcome;
}

/** The text that is stored, signed and sent. */
export function eventBody(event: PublicEvent): string {
	const { outcome } = event;
	return JSON.stringify({
		...publicHead(event),
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

interface ReceivedMessage {
	readonly messageId: string;
	/** E.164 with "+", a short code or a name. */
	readonly from: string;
	readonly to: string;
	readonly body: string;
	readonly encoding: string;
	readonly parts: number;
	readonly isComplete: boolean;
	/** Empty where there is none. */
	readonly keyword: string;
	readonly receivedAt: Date;
}

export function receivedBody({
	message,
	...head
}: Head & { readonly message: ReceivedMessage }): string {
	return JSON.stringify({
		...publicHead(head),
		data: {
			message_id: message.messageId,
			channel: "sms",
			from: message.from,
			to: message.to,
			text: message.body,
			encoding: message.encoding,
			parts: message.parts,
			is_complete: message.isComplete,
			keyword: message.keyword || null,
			received_at: message.receivedAt.toISOString(),
		},
	});
}

interface OptedOut {
	/** E.164 with "+". */
	readonly recipient: string;
	/** Empty for every sender of the organization. */
	readonly sender: string;
	readonly source: string;
	readonly occurredAt: Date;
}

export function optedOutBody({
	optedOut,
	...head
}: Head & { readonly optedOut: OptedOut }): string {
	return JSON.stringify({
		...publicHead(head),
		data: {
			recipient: optedOut.recipient,
			sender: optedOut.sender || null,
			source: optedOut.source,
			occurred_at: optedOut.occurredAt.toISOString(),
		},
	});
}

/** Its lines are those of `GET /reports/delivery` by day. */
export function dailyReportBody({
	report,
	...head
}: Head & { readonly report: Pick<DailyReport, "day" | "sums"> }): string {
	return JSON.stringify({
		...publicHead(head),
		data: { day: report.day, sums: report.sums.map(publicDeliverySum) },
	});
}

interface DisabledEvent {
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

function publicHead({ id, type, createdAt }: Head) {
	return { id, type, created_at: createdAt.toISOString() };
}

function publicError(outcome: Outcome) {
	if (outcome.errorCode === "") return null;
	return { code: outcome.errorCode, message: outcome.errorMessage };
}
