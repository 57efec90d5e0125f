import { hash } from "node:crypto";
import { type Tx, transaction } from "@airtower/platform/database/database";
import { fault } from "@airtower/platform/runtime/fault";
import type {
	SendMessageSchema,
	SendResult,
} from "@airtower/proto/messaging/v1/messaging";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Context } from "../context.ts";
import { isTooLong, renderTemplate } from "../domain/message-template.ts";
import { refusalKind } from "../domain/refusal.ts";
import type { Leased } from "../store/campaign-leases.ts";
import { addProgress, resumeCampaign } from "../store/campaign-progress.ts";
import {
	type AcceptedRecipient,
	markAccepted,
	markSkipped,
	type PendingRecipient,
	type SkippedRecipient,
} from "../store/recipients.ts";

/** Longest wait for the call, ms: shorter than the lease. */
const SEND_TIMEOUT_MS = 15_000;

/** What one recipient gets. */
interface Draft {
	readonly phone: string;
	readonly body: string;
}

/** What the whole campaign must wait for, and who was refused for it. */
export interface Obstacle {
	readonly reason: string;
	readonly phones: readonly string[];
}

interface Settlement {
	readonly accepted: readonly AcceptedRecipient[];
	readonly skipped: readonly SkippedRecipient[];
	readonly obstacle: Obstacle | undefined;
}

/** Sends to these recipients in one call and stores the results. Returns what the campaign must wait for, if anything. */
export async function sendBatch(
	ctx: Context,
	campaign: Leased,
	recipients: readonly PendingRecipient[],
): Promise<Obstacle | undefined> {
	const drafts = recipients.map(({ phone, name }) => ({
		phone,
		body: renderTemplate(campaign.messageTemplate, name),
	}));
	const { fitting = [], tooLong = [] } = Object.groupBy(drafts, ({ body }) =>
		isTooLong(body) ? "tooLong" : "fitting",
	);
	const results = await send(ctx, campaign, fitting);
	fault("campaigns.after_send");
	// Names in many places make a text of any length; a call of 500 such texts would be more than a server reads.
	const settlement = readResults(
		fitting,
		results,
		tooLong.map(({ phone }) => ({ phone, reason: "message_too_long" })),
	);
	await transaction(ctx.sql, (sql) => settle(sql, campaign, settlement));
	const { accepted, skipped, obstacle } = settlement;
	if (accepted.length + skipped.length === 0 && obstacle === undefined)
		throw new Error("No recipient could be settled.");
	return obstacle;
}

async function send(
	ctx: Context,
	campaign: Leased,
	drafts: readonly Draft[],
): Promise<readonly SendResult[]> {
	if (drafts.length === 0) return [];
	const { results } = await ctx.messaging.sendMessages(
		{ messages: drafts.map((draft) => toMessage(campaign, draft)) },
		{ timeoutMs: SEND_TIMEOUT_MS },
	);
	return results;
}

function toMessage(
	campaign: Leased,
	{ phone, body }: Draft,
): MessageInitShape<typeof SendMessageSchema> {
	const key = `campaign:${campaign.id}:${phone.slice(1)}`;
	return {
		organizationId: campaign.organizationId,
		to: phone,
		body,
		senderId: campaign.senderId,
		campaignId: campaign.id,
		idempotency: {
			key,
			fingerprint: hash("sha256", `${key}\n${body}`, "buffer"),
		},
	};
}

/** Adds the results to the recipients skipped before the call. The first reason to wait stands for all. */
function readResults(
	drafts: readonly Draft[],
	results: readonly SendResult[],
	skippedBefore: readonly SkippedRecipient[],
): Settlement {
	const accepted: AcceptedRecipient[] = [];
	const skipped = [...skippedBefore];
	const held: SkippedRecipient[] = [];
	drafts.forEach(({ phone }, index) => {
		const result = results[index]?.result;
		if (result?.case === "accepted")
			accepted.push({ phone, messageId: result.value.messageId });
		else if (result?.case === "refused") {
			const { reason } = result.value;
			const kind = refusalKind(reason);
			if (kind === "skip") skipped.push({ phone, reason });
			if (kind === "pause") held.push({ phone, reason });
		}
	});
	const [first] = held;
	const obstacle = first && {
		reason: first.reason,
		phones: held.map(({ phone }) => phone),
	};
	return { accepted, skipped, obstacle };
}

/**
 * Stores the results. They are facts whoever holds the lease, and each recipient moves only once.
 * Only an acceptance ends a pause: a recipient may be refused for good before the sender or the
 * quota is looked at.
 */
async function settle(
	sql: Tx,
	{ id }: Leased,
	settlement: Settlement,
): Promise<void> {
	const accepted = await markAccepted(sql, id, settlement.accepted);
	const skipped = await markSkipped(sql, id, settlement.skipped);
	await addProgress(sql, id, { accepted, skipped });
	if (settlement.accepted.length > 0 && settlement.obstacle === undefined)
		await resumeCampaign(sql, id);
}

/** Skips recipients whose organization is closed: they were refused for good. */
export async function skipRefused(
	ctx: Context,
	campaign: Leased,
	phones: readonly string[],
): Promise<void> {
	const reason = "organization_closed";
	const skipped = phones.map((phone) => ({ phone, reason }));
	const settlement = { accepted: [], skipped, obstacle: undefined };
	await transaction(ctx.sql, (sql) => settle(sql, campaign, settlement));
}
