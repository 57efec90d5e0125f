import type { ErrorDetail } from "@airtower/proto/common/v1/error_detail";
import type { IdempotencyKey } from "../database/idempotency.ts";

/** What every message of a batch carries. */
interface Addressed {
	readonly organizationId: string;
	readonly idempotency?:
		| Pick<IdempotencyKey, "key" | "fingerprint">
		| undefined;
}

/** One message of a batch, with its place in the request. */
export interface BatchItem<M extends Addressed = Addressed> {
	readonly place: number;
	readonly message: M;
	/** Lower case. */
	readonly organizationId: string;
	readonly key: IdempotencyKey | undefined;
}

export function batchItemOf<M extends Addressed>(
	message: M,
	place: number,
): BatchItem<M> {
	const organizationId = message.organizationId.toLowerCase();
	const { idempotency } = message;
	const key = idempotency && {
		organizationId,
		key: idempotency.key,
		fingerprint: idempotency.fingerprint,
	};
	return { place, message, organizationId, key };
}

/** The answer to one message: `A` when it was accepted. */
export type BatchAnswer<A> =
	| { readonly case: "accepted"; readonly value: A }
	| { readonly case: "refused"; readonly value: ErrorDetail };

/** Collects one answer per message of a batch; `R` is what a service refuses a message with. */
export interface BatchAnswers<A, R extends readonly unknown[]> {
	accept(item: BatchItem, accepted: A): void;
	refuse(item: BatchItem, ...refusal: R): void;
	refuseWith(item: BatchItem, detail: ErrorDetail): void;
	/** The answer given so far. */
	of(item: BatchItem): BatchAnswer<A> | undefined;
	/** All answers, in order. Throws when one is missing. */
	all(): BatchAnswer<A>[];
}

export function createBatchAnswers<A, R extends readonly unknown[]>(
	count: number,
	detailOf: (...refusal: R) => ErrorDetail,
): BatchAnswers<A, R> {
	const answers = new Array<BatchAnswer<A> | undefined>(count);
	const refuseWith = (item: BatchItem, value: ErrorDetail) => {
		answers[item.place] = { case: "refused", value };
	};
	return {
		accept: (item, value) => {
			answers[item.place] = { case: "accepted", value };
		},
		refuse: (item, ...refusal) => refuseWith(item, detailOf(...refusal)),
		refuseWith,
		of: (item) => answers[item.place],
		all: () =>
			Array.from(answers, (answer) => {
				if (answer === undefined)
					throw new Error("A message was left unanswered.");
				return answer;
			}),
	};
}
