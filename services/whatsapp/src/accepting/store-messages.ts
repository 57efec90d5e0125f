import {
	type Db,
	isDataError,
	isLockTimeout,
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
	type WhatsAppAccepted,
	WhatsAppAcceptedSchema,
} from "@airtower/proto/whatsapp/v1/whatsapp";
import { toBinary } from "@bufbuild/protobuf";
import { touchConversations } from "../store/conversations.ts";
import { insertDispatch } from "../store/dispatch.ts";
import { insertMessages, type NewMessage } from "../store/messages.ts";
import type { SendableCandidate } from "./candidates.ts";

/** A message with the answer that its client gets once it is stored. */
export interface StorableMessage {
	readonly candidate: SendableCandidate;
	readonly accepted: WhatsAppAccepted;
}

export type StoreOutcome =
	| "stored"
	/** Another request with the same key came first. */
	| "lost"
	/** Another request holds the key and does not come to an end. */
	| "key_in_use"
	/** The database will never take this row. */
	| "unstorable"
	/** The database went away, or something unforeseen: it may be stored or not. */
	| "unsure";

export interface StoreOptions {
	readonly validityMs: number;
	readonly log: Logger;
}

/** Longest wait for a concurrent request with the same key, ms. */
const TWIN_WAIT_MS = 5_000;
/** The same once a batch is known to hold such a key, ms. */
const TWIN_WAIT_AGAIN_MS = 250;

/**
 * Stores messages, their idempotency records, dispatch and conversations in one transaction; answers
 * an outcome for each. When the database refuses a row, halves are tried until it stands alone.
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
		if (messages.length === 1 || outcome === "unsure")
			return messages.map(() => outcome);
		const middle = Math.ceil(messages.length / 2);
		const again = (half: readonly StorableMessage[]) =>
			storeMessages(sql, half, options, TWIN_WAIT_AGAIN_MS);
		const first = await again(messages.slice(0, middle));
		return [...first, ...(await again(messages.slice(middle)))];
	}
}

async function commitMessages(
	sql: Db,
	messages: readonly StorableMessage[],
	options: StoreOptions,
	twinWaitMs: number,
): Promise<StoreOutcome[]> {
	const outcomes = await transaction(sql, async (sql) => {
		await sql.unsafe(`
			set local lock_timeout = ${twinWaitMs};
			set local statement_timeout = ${2 * TWIN_WAIT_MS};
		`);
		const won = await winKeys(sql, messages);
		const winners = messages.filter((_, index) => won[index]);
		await insertAll(sql, winners, options);
		fault("whatsapp.before_commit");
		return won.map((one): StoreOutcome => (one ? "stored" : "lost"));
	});
	fault("whatsapp.after_commit");
	return outcomes;
}

async function winKeys(
	sql: Tx,
	messages: readonly StorableMessage[],
): Promise<boolean[]> {
	const records = messages.flatMap(({ candidate: { key }, accepted }) =>
		key === undefined
			? []
			: [{ ...key, response: toBinary(WhatsAppAcceptedSchema, accepted) }],
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
	await insertMessages(sql, messages.map(rowOf));
	await insertDispatch(
		sql,
		messages.map(({ candidate, accepted }) => ({
			...candidate,
			messageId: accepted.messageId,
		})),
		validityMs,
	);
	await touchConversations(
		sql,
		messages.map(({ candidate }) => candidate),
	);
}

function rowOf({ candidate, accepted }: StorableMessage): NewMessage {
	const { content, clientReference } = candidate.message;
	const template = content.case === "template" ? content.value : undefined;
	return {
		id: accepted.messageId,
		organizationId: candidate.organizationId,
		phoneNumberId: candidate.phoneNumberId,
		type: template === undefined ? "text" : "template",
		recipient: candidate.recipient,
		billingCategory: candidate.billingCategory,
		templateName: template?.name ?? null,
		templateLanguage: template?.language ?? null,
		clientReference: clientReference === "" ? null : clientReference,
	};
}

function outcomeOf(error: unknown): "key_in_use" | "unstorable" | "unsure" {
	if (isLockTimeout(error)) return "key_in_use";
	return isDataError(error) ? "unstorable" : "unsure";
}
