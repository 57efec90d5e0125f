import { type Tx, transaction } from "@airtower/platform/database/database";
import type { BusEvent } from "@airtower/platform/events/event-bus";
import { fault } from "@airtower/platform/runtime/fault";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import {
	closeInRounds,
	openBatch,
	toResults,
} from "@airtower/platform/work/batch";
import {
	closeStored,
	recordKeys,
	replayKnown,
	type StoreOutcome,
	storeBatch,
} from "@airtower/platform/work/store-batch";
import { messagesAcceptedEvents } from "@airtower/proto/rules/message-events";
import { topics } from "@airtower/proto/rules/topics";
import {
	type SendWhatsAppMessage,
	type SendWhatsAppResult,
	SendWhatsAppResultSchema,
	type WhatsAppAccepted,
	WhatsAppAcceptedSchema,
} from "@airtower/proto/whatsapp/v1/whatsapp";
import { create } from "@bufbuild/protobuf";
import type { Context } from "../context.ts";
import { touchConversations } from "../store/conversations.ts";
import { insertDispatch } from "../store/dispatch/dispatch.ts";
import { insertMessages, type NewMessage } from "../store/new-messages.ts";
import { checkMessages, type SendItem } from "./check-messages.ts";
import { resolveContent, type SendableMessage } from "./resolve-content.ts";

/**
 * Replays known keys, checks and stores the others; returns one result per message, in order; none hinders another.
 * @param signal aborted when the caller has given up: it tells its clients to try again, so nothing is stored then
 */
export async function acceptMessages(
	ctx: Context,
	messages: readonly SendWhatsAppMessage[],
	signal: AbortSignal,
): Promise<SendWhatsAppResult[]> {
	const batch = openBatch<SendWhatsAppMessage, WhatsAppAccepted>(messages);
	await closeInRounds(batch, ctx.log, (items) =>
		acceptRound(ctx, items, signal),
	);
	return toResults(batch).map((result) =>
		create(SendWhatsAppResultSchema, { result }),
	);
}

/** Closes all of these messages, no two of which have the same idempotency key. */
async function acceptRound(
	ctx: Context,
	items: readonly SendItem[],
	signal: AbortSignal,
): Promise<void> {
	const fresh = await replayKnown(ctx.sql, items, WhatsAppAcceptedSchema);
	const checked = checkMessages(fresh);
	const resolved = await resolveContent(ctx.sql, checked, ctx.clock());
	signal.throwIfAborted();
	const outcomes = await storeMessages(ctx, resolved);
	await closeStored(ctx.sql, resolved, outcomes, WhatsAppAcceptedSchema);
}

/** Stores messages, their idempotency records, dispatch and conversations in one transaction. */
async function storeMessages(
	{ sql, log, limits }: Pick<Context, "sql" | "log" | "limits">,
	messages: readonly SendableMessage[],
): Promise<StoreOutcome[]> {
	return storeBatch(messages, log, async (messages, keyWaitMs) => {
		const won = await transaction(sql, async (sql) => {
			const schema = WhatsAppAcceptedSchema;
			const won = await recordKeys(sql, messages, schema, keyWaitMs);
			const winners = messages.filter((_, index) => won[index]);
			await insertAll(sql, winners, limits.validityMs);
			fault("whatsapp.before_commit");
			return won;
		});
		fault("whatsapp.after_commit");
		return won;
	});
}

async function insertAll(
	sql: Tx,
	messages: readonly SendableMessage[],
	validityMs: number,
): Promise<void> {
	if (messages.length === 0) return;
	const rows = messages.map(toRow);
	await insertMessages(sql, rows, acceptedEvents(rows));
	const dispatch = messages.map((message) => ({
		...message,
		messageId: message.accepted.messageId,
	}));
	await insertDispatch(sql, dispatch, validityMs);
	await touchConversations(sql, rows);
}

function acceptedEvents(rows: readonly NewMessage[]): BusEvent[] {
	const messages = rows.map((row) => ({
		...row,
		route: "",
		sender: row.phoneNumberId,
		template: row.templateName,
		campaignId: null,
		segments: 0,
	}));
	return messagesAcceptedEvents("whatsapp", messages).map((event) => ({
		id: uuidv7(),
		topic: topics.whatsappAccepted,
		...event,
	}));
}

function toRow(message: SendableMessage): NewMessage {
	const { item, accepted, recipient, phoneNumberId } = message;
	const { content, clientReference } = item.message;
	const template = content.case === "template" ? content.value : undefined;
	return {
		id: accepted.messageId,
		organizationId: item.organizationId,
		phoneNumberId,
		recipient,
		billingCategory: message.billingCategory,
		traceparent: message.traceparent,
		type: template === undefined ? "text" : "template",
		templateName: template?.name ?? null,
		templateLanguage: template?.language ?? null,
		clientReference: clientReference === "" ? null : clientReference,
	};
}
