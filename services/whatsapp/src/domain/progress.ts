import type { StatusItem } from "./callback-item.ts";
import type { FailureCode } from "./failure.ts";
import { type MessageState, mayFollow } from "./message-state.ts";
import { failureFromStatus } from "./provider-error.ts";
import {
	type BillingCategory,
	parseBillingCategory,
} from "./template-state.ts";

/** How far an outbound message has come. */
export interface Progress {
	readonly status: MessageState;
	readonly billingCategory: BillingCategory;
	readonly errorCode: FailureCode | null;
	readonly providerError: string | null;
	readonly providerMessageId: string | null;
	readonly sentAt: Date | null;
	readonly deliveredAt: Date | null;
	readonly readAt: Date | null;
	readonly finishedAt: Date | null;
}

/**
 * A message after one more status. Statuses come in any order and more than once: none leads back,
 * a later one implies those before it, and times that are still missing are filled in.
 */
export function advance(before: Progress, item: StatusItem): Progress {
	const moved = mayFollow(before.status, item.status)
		? moveTo(before, item)
		: before;
	if (moved.status === "failed") return moved;
	return {
		...moved,
		providerMessageId: moved.providerMessageId ?? item.providerMessageId,
		billingCategory:
			parseBillingCategory(item.category ?? "") ?? moved.billingCategory,
		...timesAfter(moved, item),
	};
}

function moveTo(before: Progress, item: StatusItem): Progress {
	const { status, at } = item;
	if (status === "failed")
		return {
			...before,
			status,
			providerMessageId: before.providerMessageId ?? item.providerMessageId,
			errorCode: failureFromStatus(item.errorCode),
			providerError: item.errorText ?? null,
			finishedAt: at,
		};
	const isEnd = status === "delivered" || status === "read";
	return {
		...before,
		status,
		finishedAt: before.finishedAt ?? (isEnd ? at : null),
	};
}

function timesAfter(before: Progress, { status, at }: StatusItem) {
	const { sentAt, deliveredAt, readAt } = before;
	switch (status) {
		case "sent":
			return { sentAt: sentAt ?? at };
		case "delivered":
			return { sentAt: sentAt ?? at, deliveredAt: earlier(deliveredAt, at) };
		case "read":
			return {
				sentAt: sentAt ?? at,
				deliveredAt: deliveredAt ?? at,
				readAt: readAt ?? at,
			};
		default:
			return {};
	}
}

function earlier(known: Date | null, at: Date): Date {
	return known !== null && known.getTime() <= at.getTime() ? known : at;
}

/** True when this step ended the message: what its one outcome event is published for. */
export function isFinished(before: Progress, after: Progress): boolean {
	return before.finishedAt === null && after.finishedAt !== null;
}
