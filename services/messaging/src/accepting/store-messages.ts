import {
	type Db,
	isLockTimeout,
	postgresCode,
	type Tx,
	transaction,
} from "@airtower/platform/database";
import { fault } from "@airtower/platform/fault";
import {
	idempotencyId,
	insertIdempotencyRecords,
} from "@airtower/platform/idempotency";
import type { Logger } from "@airtower/platform/log";
import {
	type MessageAccepted,
	MessageAcceptedSchema,
} from "@airtower/proto/messaging/v1/messaging";
import { toBinary } from "@bufbuild/protobuf";
import { loggable } from "../errors.ts";
import { insertDispatch } from "../store/dispatch.ts";
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
	/** The messages' ids and reservations are no older than this, ms since the epoch. */
	readonly reservedAt: number;
	readonly now: () => number;
	readonly validityMs: number;
	readonly log: Logger;
}

/**
 * A message is committed within this time of its reservation or never, ms: later, the accounts
 * service may already have given the reservation back.
 */
const COMMIT_DEADLINE_MS = 20_000;
/** Ended by the server itself, so that it holds for a stopped process too, ms. */
const TRANSACTION_TIMEOUT_MS = 10_000;
/** Longest wait for a concurrent request with the same key, ms. */
const TWIN_WAIT_MS = 5_000;
/** The same once a batch is known to hold such a key, ms. */
const TWIN_WAIT_AGAIN_MS = 250;

class TooLateError extends Error {}

/**
 * Stores messages, their idempotency records and their dispatch in one transaction; answers an
 * outcome for each. When the database refuses a row, halves of the batch are tried until it stands alone.
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
			{ err: loggable(error), outcome, count: messages.length },
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
	const outcomes = await transaction(
		sql,
		async (sql) => {
			assertInTime(options);
			await sql.unsafe(`
				set local lock_timeout = ${twinWaitMs};
				set local statement_timeout = ${TRANSACTION_TIMEOUT_MS};
			`);
			const won = await winKeys(sql, messages);
			const winners = messages.filter((_, index) => won[index]);
			await insertAll(sql, winners, options);
			fault("messaging.before_commit");
			return won.map((one): StoreOutcome => (one ? "stored" : "lost"));
		},
		{ timeoutMs: TRANSACTION_TIMEOUT_MS },
	);
	fault("messaging.after_commit");
	return outcomes;
}

/** Called once the server has begun to count: what is left then is bounded by its time-out. */
function assertInTime({ reservedAt, now }: StoreOptions): void {
	if (now() - reservedAt > COMMIT_DEADLINE_MS - TRANSACTION_TIMEOUT_MS)
		throw new TooLateError("The reservations are too old to be used.");
}

async function winKeys(
	sql: Tx,
	messages: readonly StorableMessage[],
): Promise<boolean[]> {
	const records = messages.flatMap(({ candidate: { key }, accepted }) =>
		key === undefined
			? []
			: [{ ...key, response: toBinary(MessageAcceptedSchema, accepted) }],
	);
	const inserted = await insertIdempotencyRecords(sql, records);
	return messages.map(
		({ candidate: { key } }) =>
			key === undefined || inserted.has(idempotencyId(key)),
	);
}

async function insertAll(
	sql: Tx,
	messages: readonly StorableMessage[],
	{ validityMs }: StoreOptions,
): Promise<void> {
	if (messages.length === 0) return;
	const rows = messages.map(rowOf);
	await insertMessages(sql, rows);
	await insertDispatch(
		sql,
		rows.map((row) => ({ ...row, messageId: row.id })),
		validityMs,
	);
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

/** Data, constraint and size errors belong to a row; what rolled back was certainly not stored. */
function outcomeOf(error: unknown): StoreOutcome {
	if (isLockTimeout(error)) return "key_in_use";
	if (error instanceof TooLateError) return "not_stored";
	switch (postgresCode(error)?.slice(0, 2)) {
		case "22":
		case "23":
		case "54":
			return "unstorable";
		case "40":
			return "not_stored";
		default:
			return "unsure";
	}
}
