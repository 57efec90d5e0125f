import {
	type Db,
	isDataError,
	isLockTimeout,
	postgresCode,
	type Queryable,
	TRANSACTION_TIMEOUT_MS,
	type Tx,
	transaction,
} from "@airtower/platform/database/database";
import {
	idempotencyId,
	insertIdempotencyRecords,
} from "@airtower/platform/database/idempotency";
import { fault } from "@airtower/platform/runtime/fault";
import type { Logger } from "@airtower/platform/runtime/log";
import {
	type MessageAccepted,
	MessageAcceptedSchema,
} from "@airtower/proto/messaging/v1/messaging";
import { toBinary } from "@bufbuild/protobuf";
import { insertMessages } from "../store/messages.ts";
import type { ReservedCandidate } from "./candidates.ts";

/** A paid message with the answer that its client gets once it is stored. */
export interface StorableMessage {
	readonly candidate: ReservedCandidate;
	readonly accepted: MessageAccepted;
	readonly concatReference: number;
}

export type StoreOutcome =
	| "stored"
	/** Another request with the same key came first. */
	| "lost"
	/** Another request holds the key and does not come to an end. */
	| "key_in_use"
	/** The database will never take this row. */
	| "unstorable"
	/** Certainly not stored. */
	| "not_stored"
	/** The database went away, or something unforeseen: it may be stored or not. */
	| "unsure";

export interface StoreOptions {
	/** The messages were reserved after this, by the database's clock. */
	readonly reservedAfter: Date;
	readonly validityMs: number;
	readonly log: Logger;
}

/**
 * A message is committed within this time of its reservation or never, ms: later, the accounts
 * service may already have given the reservation back. The database keeps the time: it stores nothing
 * after the first deadline, and ends a transaction by itself, unless its commit waits: see `isCommitOverdue`.
 */
const COMMIT_DEADLINE_MS = 20_000;
const STORE_DEADLINE_MS = COMMIT_DEADLINE_MS - TRANSACTION_TIMEOUT_MS;
/** Longest wait for a concurrent request with the same key, ms. */
const TWIN_WAIT_MS = 5_000;
/** The same once a batch is known to hold such a key, ms. */
const TWIN_WAIT_AGAIN_MS = 250;

class TooLateError extends Error {}

/**
 * Stores messages, their idempotency records and their dispatch, all or none; answers an outcome
 * for each. When the database refuses a row, halves of the batch are tried until it stands alone.
 */
export async function storeMessages(
	sql: Db,
	messages: readonly StorableMessage[],
	options: StoreOptions,
	twinWaitMs = TWIN_WAIT_MS,
): Promise<StoreOutcome[]> {
	if (messages.length === 0) return [];
	try {
		return await commitMessages(sql, messages, options, twinWaitMs);
	} catch (error) {
		const outcome = outcomeOf(error);
		options.log.warn(
			{ err: error, outcome, count: messages.length },
			"messages were not stored together",
		);
		if (messages.length === 1 || !isOneRowsFault(outcome))
			return messages.map(() => outcome);
		const middle = Math.ceil(messages.length / 2);
		const halves = [messages.slice(0, middle), messages.slice(middle)];
		const outcomes: StoreOutcome[] = [];
		for (const half of halves)
			outcomes.push(
				...(await storeMessages(sql, half, options, TWIN_WAIT_AGAIN_MS)),
			);
		return outcomes;
	}
}

async function commitMessages(
	sql: Db,
	messages: readonly StorableMessage[],
	options: StoreOptions,
	twinWaitMs: number,
): Promise<StoreOutcome[]> {
	const hasKeys = messages.some(({ candidate }) => candidate.key !== undefined);
	const outcomes = hasKeys
		? await transaction(sql, (sql) =>
				storeWinners(sql, messages, options, twinWaitMs),
			)
		: await insertAll(sql, messages, options);
	fault("messaging.after_commit");
	return outcomes;
}

async function storeWinners(
	sql: Tx,
	messages: readonly StorableMessage[],
	options: StoreOptions,
	twinWaitMs: number,
): Promise<StoreOutcome[]> {
	const won = await winKeys(sql, messages, twinWaitMs);
	await insertAll(
		sql,
		messages.filter((_, index) => won[index]),
		options,
	);
	return won.map((one) => (one ? "stored" : "lost"));
}

async function winKeys(
	sql: Tx,
	messages: readonly StorableMessage[],
	twinWaitMs: number,
): Promise<boolean[]> {
	const records = messages.flatMap(({ candidate: { key }, accepted }) =>
		key === undefined
			? []
			: [{ ...key, response: toBinary(MessageAcceptedSchema, accepted) }],
	);
	await sql.unsafe(`
		set local lock_timeout = ${twinWaitMs};
		set local statement_timeout = ${TRANSACTION_TIMEOUT_MS};
	`);
	const inserted = await insertIdempotencyRecords(sql, records);
	return messages.map(
		({ candidate: { key } }) =>
			key === undefined || inserted.has(idempotencyId(key)),
	);
}

/** One statement: without keys it needs no transaction around it. */
async function insertAll(
	sql: Queryable,
	messages: readonly StorableMessage[],
	{ reservedAfter, validityMs }: StoreOptions,
): Promise<StoreOutcome[]> {
	if (messages.length === 0) return [];
	fault("messaging.before_commit");
	const count = await insertMessages(sql, messages.map(rowOf), {
		deadline: new Date(reservedAfter.getTime() + STORE_DEADLINE_MS),
		validityMs,
	});
	if (count < messages.length)
		throw new TooLateError("The reservations are too old to be used.");
	return messages.map(() => "stored");
}

function rowOf({ candidate, accepted, concatReference }: StorableMessage) {
	const { message } = candidate;
	return {
		id: candidate.messageId,
		organizationId: candidate.organizationId,
		recipient: candidate.recipient,
		body: message.body,
		senderId: candidate.senderId,
		senderValue: candidate.senderValue,
		clientReference: emptyToNull(message.clientReference),
		campaignId: emptyToNull(message.campaignId),
		segments: candidate.segments,
		concatReference,
		route: accepted.route,
	};
}

function emptyToNull(text: string): string | null {
	return text === "" ? null : text;
}

function isOneRowsFault(outcome: StoreOutcome): boolean {
	return outcome === "unstorable" || outcome === "key_in_use";
}

/** What rolled back (class 40) was certainly not stored. */
function outcomeOf(error: unknown): StoreOutcome {
	if (isLockTimeout(error)) return "key_in_use";
	if (error instanceof TooLateError) return "not_stored";
	if (isDataError(error)) return "unstorable";
	return postgresCode(error)?.startsWith("40") ? "not_stored" : "unsure";
}
