import { createHash } from "node:crypto";
import { type Tx, transaction } from "@airtower/platform/database";
import { fault } from "@airtower/platform/fault";
import type {
	SendMessageSchema,
	SendResult,
} from "@airtower/proto/messaging/v1/messaging";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { CampaignsContext } from "../context.ts";
import { isTooLong, renderTemplate } from "../domain/message-template.ts";
import { refusalKind } from "../domain/refusal.ts";
import {
	addProgress,
	type Leased,
	resumeCampaign,
} from "../store/campaigns.ts";
import {
	type AcceptedRecipient,
	markAccepted,
	markSkipped,
	type PendingRecipient,
	type SkippedRecipient,
} from "../store/recipients.ts";

/** Recipients in one call of SendMessages. */
const BATCH_RECIPIENTS = 500;
/** Calls under way at once: enough that while one is answered, and noted, others are worked on. */
const BATCHES_IN_FLIGHT = 4;
/** Most recipients of one round. */
export const ROUND_RECIPIENTS = BATCH_RECIPIENTS * BATCHES_IN_FLIGHT;
/** Longest wait for one call, ms: shorter than the lease. */
const SEND_TIMEOUT_MS = 15_000;

/** What one recipient gets. */
interface Draft {
	readonly phone: string;
	readonly body: string;
}

/** What the whole campaign must wait for, and whom it was said of. */
export interface Obstacle {
	readonly reason: string;
	readonly phones: readonly string[];
}

interface Settlement {
	readonly accepted: readonly AcceptedRecipient[];
	readonly skipped: readonly SkippedRecipient[];
	readonly obstacle: Obstacle | undefined;
}

/** Sends to these recipients and notes the results; answers what the campaign must wait for, undefined when nothing. */
export async function sendRound(
	ctx: CampaignsContext,
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
	const answers = await Promise.all(
		batchesOf(fitting).map((batch) => send(ctx, campaign, batch)),
	);
	fault("campaigns.after_send");
	const settlement = mergeSettlements([skipTooLong(tooLong), ...answers]);
	await transaction(ctx.sql, (sql) => settle(sql, campaign, settlement));
	const { accepted, skipped, obstacle } = settlement;
	if (accepted.length + skipped.length === 0 && obstacle === undefined)
		throw new Error("No recipient could be settled.");
	return obstacle;
}

/** Names in many places make a text of any length: a call of 500 such texts would be more than a server reads. */
function skipTooLong(drafts: readonly Draft[]): Settlement {
	return {
		accepted: [],
		skipped: drafts.map(({ phone }) => ({ phone, reason: "message_too_long" })),
		obstacle: undefined,
	};
}

function batchesOf(drafts: readonly Draft[]): Draft[][] {
	const count = Math.ceil(drafts.length / BATCH_RECIPIENTS);
	return Array.from({ length: count }, (_, nth) =>
		drafts.slice(nth * BATCH_RECIPIENTS, (nth + 1) * BATCH_RECIPIENTS),
	);
}

async function send(
	ctx: CampaignsContext,
	campaign: Leased,
	drafts: readonly Draft[],
): Promise<Settlement> {
	const { results } = await ctx.messaging.sendMessages(
		{ messages: drafts.map((draft) => toMessage(campaign, draft)) },
		{ timeoutMs: SEND_TIMEOUT_MS },
	);
	return readResults(drafts, results);
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
			fingerprint: createHash("sha256").update(`${key}\n${body}`).digest(),
		},
	};
}

function readResults(
	drafts: readonly Draft[],
	results: readonly SendResult[],
): Settlement {
	const accepted: AcceptedRecipient[] = [];
	const skipped: SkippedRecipient[] = [];
	const obstacles: Obstacle[] = [];
	drafts.forEach(({ phone }, index) => {
		const result = results[index]?.result;
		if (result?.case === "accepted")
			accepted.push({ phone, messageId: result.value.messageId });
		else if (result?.case === "refused") {
			const { reason } = result.value;
			const kind = refusalKind(reason);
			if (kind === "skip") skipped.push({ phone, reason });
			if (kind === "pause") obstacles.push({ reason, phones: [phone] });
		}
	});
	return { accepted, skipped, obstacle: mergeObstacles(obstacles) };
}

/** The first reason stands for all. */
function mergeObstacles(obstacles: readonly Obstacle[]): Obstacle | undefined {
	const [first] = obstacles;
	return first === undefined
		? undefined
		: { ...first, phones: obstacles.flatMap(({ phones }) => phones) };
}

function mergeSettlements(settlements: readonly Settlement[]): Settlement {
	return {
		accepted: settlements.flatMap((settlement) => settlement.accepted),
		skipped: settlements.flatMap((settlement) => settlement.skipped),
		obstacle: mergeObstacles(
			settlements.flatMap((settlement) => settlement.obstacle ?? []),
		),
	};
}

/**
 * Notes the results. They are facts whoever holds the lease, and each recipient moves only once.
 * Only an acceptance ends a pause: a recipient may be refused for good before the sender or the
 * quota is looked at.
 */
async function settle(
	sql: Tx,
	campaign: Leased,
	settlement: Settlement,
): Promise<void> {
	const accepted = await markAccepted(sql, campaign.id, settlement.accepted);
	const skipped = await markSkipped(sql, campaign.id, settlement.skipped);
	await addProgress(sql, campaign.id, { accepted, skipped });
	if (settlement.accepted.length > 0 && settlement.obstacle === undefined)
		await resumeCampaign(sql, campaign.id);
}
