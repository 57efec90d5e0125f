import { isUuid } from "@airtower/platform/runtime/ids";
import {
	closeInRounds,
	openBatch,
	toResults,
} from "@airtower/platform/work/batch";
import {
	closeStored,
	replayKnown,
	type StoreOutcome,
} from "@airtower/platform/work/store-batch";
import {
	type MessageAccepted,
	MessageAcceptedSchema,
	type SendMessage,
	type SendResult,
	SendResultSchema,
} from "@airtower/proto/messaging/v1/messaging";
import { create } from "@bufbuild/protobuf";
import type { Context } from "../context.ts";
import { MAX_CAMPAIGN_AGE_MS, type SendItem } from "./check-messages.ts";
import { decideMessages } from "./decide-messages.ts";
import { releaseQuota, reserveQuota } from "./quota.ts";
import type { AddressedMessage } from "./senders.ts";
import { storeMessages } from "./store-messages.ts";

/**
 * A campaign may send its batches again for as long as messages are taken for it at all, and somewhat longer than that
 * nobody is sent to twice.
 */
const CAMPAIGN_KEY_MS = MAX_CAMPAIGN_AGE_MS + 30 * 24 * 3_600_000;

/**
 * Returns one result per message, in order; none hinders another.
 * @param signal aborted when the caller has given up: it tells its clients to try again, so nothing is stored then
 */
export async function acceptMessages(
	ctx: Context,
	messages: readonly SendMessage[],
	signal: AbortSignal,
): Promise<SendResult[]> {
	const batch = openBatch<SendMessage, MessageAccepted>(
		messages.map(withOwnKeySpace),
		({ campaignId }) => (campaignId === "" ? undefined : CAMPAIGN_KEY_MS),
	);
	await closeInRounds(batch, ctx.log, (items) =>
		acceptRound(ctx, items, signal),
	);
	return toResults(batch).map((result) => create(SendResultSchema, { result }));
}

/** A campaign's keys are its own: no key that a client may choose has a slash. */
function withOwnKeySpace(message: SendMessage): SendMessage {
	const { campaignId, idempotency } = message;
	if (!isUuid(campaignId) || idempotency === undefined) return message;
	const key = `${campaignId.toLowerCase()}/${idempotency.key}`;
	return { ...message, idempotency: { ...idempotency, key } };
}

async function acceptRound(
	ctx: Context,
	items: readonly SendItem[],
	signal: AbortSignal,
): Promise<void> {
	const fresh = await replayKnown(ctx.sql, items, MessageAcceptedSchema);
	const { addressed, routed } = await decideMessages(ctx, fresh, ctx.routes);
	const paid = await reserveQuota(ctx, routed);
	if (signal.aborted) await releaseQuota(ctx, paid);
	signal.throwIfAborted();
	const outcomes = await storeMessages(ctx, paid, firstLookUp(addressed));
	if (outcomes.includes("stored")) ctx.announceWork();
	await closeStored(ctx.sql, paid, outcomes, MessageAcceptedSchema);
	const lost = paid.filter((_, index) => isLost(outcomes[index]));
	await releaseQuota(ctx, lost);
}

function isLost(outcome: StoreOutcome | undefined): boolean {
	return outcome !== "stored" && outcome !== "unknown";
}

/** When the first of the senders was looked up, by the database's clock: the reservations are younger. */
function firstLookUp(messages: readonly AddressedMessage[]): Date {
	const times = messages.map(({ sender }) => sender.lookedUpAt.getTime());
	return new Date(messages.length === 0 ? 0 : Math.min(...times));
}
