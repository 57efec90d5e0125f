import {
	type DescMessage,
	fromBinary,
	type MessageShape,
} from "@bufbuild/protobuf";
import type { Queryable } from "../database/database.ts";
import {
	findIdempotencyRecords,
	idempotencyId,
} from "../database/idempotency.ts";
import { isUuid } from "../runtime/ids.ts";
import type { BatchAnswers, BatchItem } from "./batch-answers.ts";

/** What the rules of a batch refuse a message with. */
type RuleRefusal =
	| "unknown_organization"
	| "idempotency_key_reused"
	| "idempotency_key_in_use";
type RuleAnswers<A> = BatchAnswers<A, [RuleRefusal]>;
/** An acceptance that tells whether it is an earlier one, shown again. */
type Replayable = { replayed: boolean };

/**
 * Requests with one key and different bodies in one batch take turns while the earlier ones are
 * refused; a key with more of them than this is answered as in use.
 */
const MAX_TURNS = 3;

/**
 * Answers a batch in which several messages may have one idempotency key: `accept` gets each key once,
 * answers all it gets, and the others of that key are answered like the first, or come in its next turn.
 */
export async function acceptInTurns<I extends BatchItem, A extends Replayable>(
	items: readonly I[],
	answers: RuleAnswers<A>,
	accept: (items: readonly I[]) => Promise<void>,
): Promise<void> {
	let open = items.filter((item) => {
		const known = isUuid(item.organizationId);
		if (!known) answers.refuse(item, "unknown_organization");
		return known;
	});
	for (let turn = 1; open.length > 0 && turn <= MAX_TURNS; turn++) {
		const { first, twins } = splitTwins(open);
		await accept(first);
		open = twins.flatMap(([item, twin]) =>
			answerLikeTwin(item, twin, answers) ? [] : [item],
		);
	}
	for (const item of open) answers.refuse(item, "idempotency_key_in_use");
}

/** Sets apart the messages whose key an earlier one of the batch has, each with that earlier one. */
function splitTwins<I extends BatchItem>(items: readonly I[]) {
	const byKey = new Map<string, I>();
	const first: I[] = [];
	const twins: [I, I][] = [];
	for (const item of items) {
		const id = item.key && idempotencyId(item.key);
		const twin = id === undefined ? undefined : byKey.get(id);
		if (twin === undefined) {
			first.push(item);
			if (id !== undefined) byKey.set(id, item);
		} else twins.push([item, twin]);
	}
	return { first, twins };
}

/** Answers a message like its twin in the same batch; false when the key is free for this one. */
function answerLikeTwin<A extends Replayable>(
	item: BatchItem,
	twin: BatchItem,
	answers: RuleAnswers<A>,
): boolean {
	const answer = answers.of(twin);
	const same =
		twin.key !== undefined && isSameRequest(item, twin.key.fingerprint);
	if (answer?.case === "accepted") {
		if (same) answers.accept(item, { ...answer.value, replayed: true });
		else answers.refuse(item, "idempotency_key_reused");
		return true;
	}
	if (!same || answer?.case !== "refused") return false;
	answers.refuseWith(item, answer.value);
	return true;
}

/**
 * Answers the messages whose idempotency key is known as they were answered before; returns the others.
 * @param schema of the stored answers
 */
export async function replayKnown<I extends BatchItem, S extends DescMessage>(
	sql: Queryable,
	items: readonly I[],
	answers: RuleAnswers<MessageShape<S>>,
	schema: S,
): Promise<I[]> {
	const keys = items.flatMap(({ key }) => (key === undefined ? [] : [key]));
	if (keys.length === 0) return [...items];
	const records = await findIdempotencyRecords(sql, keys);
	return items.filter((item) => {
		const record = item.key && records.get(idempotencyId(item.key));
		if (record === undefined) return true;
		if (isSameRequest(item, record.fingerprint))
			answers.accept(item, {
				...fromBinary(schema, record.response),
				replayed: true,
			});
		else answers.refuse(item, "idempotency_key_reused");
		return false;
	});
}

function isSameRequest(item: BatchItem, fingerprint: Uint8Array): boolean {
	const own = item.key?.fingerprint;
	return own !== undefined && Buffer.compare(own, fingerprint) === 0;
}
