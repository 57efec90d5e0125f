import { createHash } from "node:crypto";
import { type Tx, transaction } from "@airtower/platform/database";
import { fault } from "@airtower/platform/fault";
import type {
	SendMessageSchema,
	SendResult,
} from "@airtower/proto/messaging/v1/messaging";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { CampaignsContext } from "../context.ts";
import { renderTemplate } from "../domain/message-template.ts";
import { refusalKind } from "../domain/refusal.ts";
import {
	addProgress,
	holdLease,
	type Leased,
	pauseCampaign,
	resumeCampaign,
} from "../store/campaigns.ts";
import {
	type AcceptedRecipient,
	listPendingRecipients,
	markAccepted,
	markSkipped,
	type PendingRecipient,
	type SkippedRecipient,
} from "../store/recipients.ts";
import { LEASE_MS } from "./lease.ts";

/** Recipients in one call of SendMessages. */
const BATCH_RECIPIENTS = 500;
/** Calls under way at once. */
const BATCHES_IN_FLIGHT = 2;
/** Longest wait for one call, ms: shorter than the lease. */
const SEND_TIMEOUT_MS = 15_000;
/** A paused campaign asks again by itself after this long, ms, should the news of its reason be lost. */
const PAUSED_RECHECK_MS = 30_000;

/** `given_up`: paused, or the lease has passed on. */
export type StageResult = "staged" | "stopped" | "given_up";

interface Settlement {
	readonly accepted: AcceptedRecipient[];
	readonly skipped: SkippedRecipient[];
	readonly pauseReason: string | undefined;
}

/**
 * Sends to every pending recipient, a round of batches at a time. Each message carries an idempotency
 * key made of campaign and phone: after a crash between the send and its note, the same batch is
 * answered from the record and nobody is sent to twice.
 */
export async function stageRecipients(
	ctx: CampaignsContext,
	campaign: Leased,
	signal: AbortSignal,
): Promise<StageResult> {
	while (!signal.aborted) {
		if ((await holdLease(ctx.sql, campaign, LEASE_MS)) === undefined)
			return "given_up";
		const recipients = await listPendingRecipients(
			ctx.sql,
			campaign.id,
			BATCH_RECIPIENTS * BATCHES_IN_FLIGHT,
		);
		if (recipients.length === 0) return "staged";
		const pauseReason = await stageRound(ctx, campaign, recipients);
		if (pauseReason !== undefined) {
			await pauseCampaign(ctx.sql, campaign, pauseReason, PAUSED_RECHECK_MS);
			return "given_up";
		}
	}
	return "stopped";
}

/** Sends to these recipients; answers why the campaign must pause, undefined when it need not. */
async function stageRound(
	ctx: CampaignsContext,
	campaign: Leased,
	recipients: readonly PendingRecipient[],
): Promise<string | undefined> {
	const batches = [
		recipients.slice(0, BATCH_RECIPIENTS),
		recipients.slice(BATCH_RECIPIENTS),
	].filter((batch) => batch.length > 0);
	const settlements = await Promise.all(
		batches.map((batch) => send(ctx, campaign, batch)),
	);
	fault("campaigns.after_send");
	const settlement = mergeSettlements(settlements);
	await transaction(ctx.sql, (sql) => settle(sql, campaign, settlement));
	const { accepted, skipped, pauseReason } = settlement;
	if (accepted.length + skipped.length === 0 && pauseReason === undefined)
		throw new Error("No recipient could be settled.");
	return pauseReason;
}

function mergeSettlements(settlements: readonly Settlement[]): Settlement {
	return {
		accepted: settlements.flatMap((settlement) => settlement.accepted),
		skipped: settlements.flatMap((settlement) => settlement.skipped),
		pauseReason: settlements.find(
			(settlement) => settlement.pauseReason !== undefined,
		)?.pauseReason,
	};
}

async function send(
	ctx: CampaignsContext,
	campaign: Leased,
	recipients: readonly PendingRecipient[],
): Promise<Settlement> {
	const messages = recipients.map((recipient) =>
		toMessage(campaign, recipient),
	);
	const { results } = await ctx.messaging.sendMessages(
		{ messages },
		{ timeoutMs: SEND_TIMEOUT_MS },
	);
	return readResults(recipients, results);
}

function toMessage(
	campaign: Leased,
	recipient: PendingRecipient,
): MessageInitShape<typeof SendMessageSchema> {
	const body = renderTemplate(campaign.messageTemplate, recipient.name);
	const key = `campaign:${campaign.id}:${recipient.phone.slice(1)}`;
	return {
		organizationId: campaign.organizationId,
		to: recipient.phone,
		body,
		senderId: campaign.senderId,
		campaignId: campaign.id,
		idempotency: {
			key,
			fingerprint: createHash("sha256").update(`${key}\n${body}`).digest(),
		},
	};
}

function readResults(
	recipients: readonly PendingRecipient[],
	results: readonly SendResult[],
): Settlement {
	const accepted: AcceptedRecipient[] = [];
	const skipped: SkippedRecipient[] = [];
	let pauseReason: string | undefined;
	recipients.forEach(({ phone }, index) => {
		const result = results[index]?.result;
		if (result?.case === "accepted")
			accepted.push({ phone, messageId: result.value.messageId });
		else if (result?.case === "refused") {
			const { reason } = result.value;
			const kind = refusalKind(reason);
			if (kind === "skip") skipped.push({ phone, reason });
			if (kind === "pause") pauseReason ??= reason;
		}
	});
	return { accepted, skipped, pauseReason };
}

/** Notes the results. They are facts whoever holds the lease, and each recipient moves only once. */
async function settle(
	sql: Tx,
	campaign: Leased,
	settlement: Settlement,
): Promise<void> {
	const accepted = await markAccepted(sql, campaign.id, settlement.accepted);
	const skipped = await markSkipped(sql, campaign.id, settlement.skipped);
	await addProgress(sql, campaign.id, { accepted, skipped });
	if (settlement.pauseReason === undefined)
		await resumeCampaign(sql, campaign.id);
}
