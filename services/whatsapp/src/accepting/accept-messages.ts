import {
	closeInRounds,
	openBatch,
	toResults,
} from "@airtower/platform/work/batch";
import { closeStored, replayKnown } from "@airtower/platform/work/store-batch";
import {
	type SendWhatsAppMessage,
	type SendWhatsAppResult,
	SendWhatsAppResultSchema,
	type WhatsAppAccepted,
	WhatsAppAcceptedSchema,
} from "@airtower/proto/whatsapp/v1/whatsapp";
import { create } from "@bufbuild/protobuf";
import type { Context } from "../context.ts";
import { checkMessages, type SendItem } from "./check-messages.ts";
import { resolveContent } from "./resolve-content.ts";
import { storeMessages } from "./store-messages.ts";

/** Replays known keys, checks and stores the others; returns one result per message, in order; none hinders another. */
export async function acceptMessages(
	ctx: Context,
	messages: readonly SendWhatsAppMessage[],
): Promise<SendWhatsAppResult[]> {
	const batch = openBatch<SendWhatsAppMessage, WhatsAppAccepted>(messages);
	await closeInRounds(batch, ctx.log, (items) => acceptRound(ctx, items));
	return toResults(batch).map((result) =>
		create(SendWhatsAppResultSchema, { result }),
	);
}

/** Closes all of these messages, no two of which have the same idempotency key. */
async function acceptRound(
	ctx: Context,
	items: readonly SendItem[],
): Promise<void> {
	const fresh = await replayKnown(ctx.sql, items, WhatsAppAcceptedSchema);
	const checked = checkMessages(fresh);
	const resolved = await resolveContent(ctx.sql, checked, ctx.clock());
	const outcomes = await storeMessages(ctx, resolved);
	await closeStored(ctx.sql, resolved, outcomes, WhatsAppAcceptedSchema);
}
