import type { AttemptOutcome } from "./attempt-outcome.ts";
import type { StatusItem } from "./callback-item.ts";
import type { FailureCode } from "./failure.ts";
import { type MessageState, mayFollow } from "./message-state.ts";
import { failureFromStatus } from "./provider-error.ts";
import {
	type BillingCategory,
	parseBillingCategory,
} from "./template-state.ts";

export interface Progress {
	readonly status: MessageState;
	readonly billingCategory: BillingCategory;
	readonly errorCode: FailureCode | null;
	readonly providerError: string | null;
	readonly providerMessageId: string | null;
	/** Submits that reached the provider, or may have. */
	readonly attempts: number;
	readonly sentAt: Date | null;
	readonly deliveredAt: Date | null;
	readonly readAt: Date | null;
	readonly finishedAt: Date | null;
	/** When it fails unless a status comes. */
	readonly unknownUntil: Date | null;
}

/** Statuses come in any order and more than once: none leads back, and a later one implies those before it. */
export function applyStatus<P extends Progress>(
	before: P,
	item: StatusItem,
): P {
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

function moveTo<P extends Progress>(before: P, item: StatusItem): P {
	const { status, at } = item;
	// The attempt that it tells of is still in flight: its own settle will find nothing to do.
	const attempts = before.attempts + (before.status === "accepted" ? 1 : 0);
	const moved = { ...before, status, attempts };
	if (status === "failed")
		return {
			...moved,
			providerMessageId: before.providerMessageId ?? item.providerMessageId,
			errorCode: failureFromStatus(item.errorCode),
			providerError: item.errorText ?? null,
			finishedAt: at,
		};
	const isEnd = status === "delivered" || status === "read";
	return { ...moved, finishedAt: before.finishedAt ?? (isEnd ? at : null) };
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

export interface Attempt {
	readonly outcome: AttemptOutcome;
	readonly providerError: string | undefined;
	/** True when it reached the provider, or may have. */
	readonly wasWritten: boolean;
}

/** A message after an attempt that ended `now`; where the provider has told more in the meantime, that stays. */
export function applyAttempt<P extends Progress>(
	before: P,
	{ outcome, providerError, wasWritten }: Attempt,
	now: Date,
	unknownWaitMs: number,
): P {
	const after = {
		...before,
		attempts: before.attempts + (wasWritten ? 1 : 0),
		providerError: providerError ?? before.providerError,
	};
	const { kind } = outcome;
	if (kind === "failed") return toFailed(after, outcome.failure, now);
	if (kind !== "sent" && kind !== "unknown") return after;
	if (!mayFollow(before.status, kind)) return after;
	if (kind === "unknown")
		return {
			...after,
			status: kind,
			unknownUntil: new Date(now.getTime() + unknownWaitMs),
		};
	const { providerMessageId } = outcome;
	return { ...after, status: kind, providerMessageId, sentAt: now };
}

/** A message that fails at `at`, unless it has ended before. */
export function toFailed<P extends Progress>(
	before: P,
	errorCode: FailureCode,
	at: Date,
): P {
	return mayFollow(before.status, "failed")
		? { ...before, status: "failed", errorCode, finishedAt: at }
		: before;
}
