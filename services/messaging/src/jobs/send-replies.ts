import { createHash } from "node:crypto";
import {
	type SendMessage,
	SendMessageSchema,
} from "@airtower/proto/messaging/v1/messaging";
import { create } from "@bufbuild/protobuf";
import { acceptMessages } from "../accepting/accept-messages.ts";
import type { Context } from "../context.ts";
import {
	type Addressee,
	deleteReplies,
	findBeingSentTo,
	findDueReplies,
	postponeReplies,
	type ReplyRow,
} from "../store/opt-outs/opt-out-replies.ts";
import { OPT_OUT_REPLY, REPLY_KEYS } from "../store/opt-outs/opt-outs.ts";

const BATCH = 100;
/** Until it is looked again whether a number is still being sent to, ms. */
const BUSY_DELAY_MS = 250;
/** A response that is not accepted is tried again after as long as it has waited, but at least and at most, ms. */
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 600_000;
/** Who has had no response by then does not expect one any more, ms. */
const GIVE_UP_AFTER_MS = 24 * 3_600_000;
/** Refusals that may pass. */
const TRANSIENT = new Set([
	"quota_exhausted",
	"organization_suspended",
	"service_unavailable",
	"idempotency_key_in_use",
	"internal_error",
]);

/**
 * Has the responses to words accepted as messages of their organizations. Each has an idempotency key, so that neither
 * a crash nor another process makes two of it. Returns how many are done, and of a full batch how many it looked at: a
 * thousand that wait for their organization's quota keep no other one waiting.
 *
 * The confirmation of an opt-out waits until no message that was claimed before the opt-out is on its way to the
 * number. Those claimed after it are not sent, so nothing follows the confirmation.
 */
export async function sendReplies(ctx: Context): Promise<number> {
	const { sql } = ctx;
	const due = await findDueReplies(sql, BATCH);
	if (due.length === 0) return 0;
	const beingSentTo = await findBeingSentTo(sql, due);
	const numbers = new Set(beingSentTo.map(numberKey));
	const mustWait = (reply: ReplyRow) =>
		reply.family === "stop" && numbers.has(numberKey(reply));
	const ready = due.filter((reply) => !mustWait(reply));
	const refusals = await acceptReplies(ctx, ready);
	const goesAgain = ({ id, ageMs }: ReplyRow) =>
		TRANSIENT.has(refusals.get(id) ?? "") && ageMs < GIVE_UP_AFTER_MS;
	const done = ready.filter((reply) => !goesAgain(reply));
	logRefused(ctx, done, refusals);
	await deleteReplies(
		sql,
		done.map(({ id }) => id),
	);
	await postponeReplies(
		sql,
		due.flatMap((reply) => {
			const { id, ageMs } = reply;
			if (mustWait(reply)) return [{ id, delayMs: BUSY_DELAY_MS }];
			return goesAgain(reply) ? [{ id, delayMs: toDelay(ageMs) }] : [];
		}),
	);
	return due.length === BATCH ? BATCH : done.length;
}

function numberKey({ organizationId, recipient }: Addressee): string {
	return `${organizationId} ${recipient}`;
}

/** Returns the reasons of those that were refused, by their ids. */
async function acceptReplies(
	ctx: Context,
	replies: readonly ReplyRow[],
): Promise<ReadonlyMap<string, string>> {
	const senders = await ctx.senders.find(
		replies.map(({ organizationId, sender: value }) => ({
			organizationId,
			id: "",
			value,
		})),
	);
	const approved = new Set(
		[...senders.values()]
			.filter(({ status }) => status === "approved")
			.map(({ organizationId, value }) => `${organizationId} ${value}`),
	);
	const results = await acceptMessages(
		ctx,
		replies.map((reply) => {
			const isSender = approved.has(`${reply.organizationId} ${reply.sender}`);
			return toMessage(reply, isSender ? reply.sender : "");
		}),
		new AbortController().signal,
	);
	return new Map(
		replies.flatMap(({ id }, nth) => {
			const result = results[nth]?.result;
			return result?.case === "refused"
				? [[id, result.value.reason] as const]
				: [];
		}),
	);
}

/** @param senderName empty for the organization's default sender */
function toMessage(
	{ id, organizationId, recipient: to, body, exempt }: ReplyRow,
	senderName: string,
): SendMessage {
	return create(SendMessageSchema, {
		organizationId,
		to,
		body,
		senderName,
		messageClass: exempt ? OPT_OUT_REPLY : "",
		idempotency: {
			key: REPLY_KEYS + id,
			fingerprint: createHash("sha256").update(id).digest(),
		},
	});
}

function logRefused(
	{ log }: Context,
	done: readonly ReplyRow[],
	refusals: ReadonlyMap<string, string>,
): void {
	for (const { id: replyId, organizationId, family } of done) {
		const reason = refusals.get(replyId);
		if (reason !== undefined)
			log.warn(
				{ replyId, organizationId, family, reason },
				"the response to a word was not accepted as a message, and is given up",
			);
	}
}

function toDelay(ageMs: number): number {
	return Math.min(LONGEST_DELAY_MS, Math.max(FIRST_DELAY_MS, ageMs));
}
