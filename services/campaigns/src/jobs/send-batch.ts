import { type Tx, transaction } from "@airtower/platform/database/database";
import { fault } from "@airtower/platform/runtime/fault";
import type { SendResult } from "@airtower/proto/messaging/v1/messaging";
import type { Context } from "../context.ts";
import { refusalKind } from "../domain/refusal.ts";
import {
	type Draft as DraftTo,
	divideByLength,
	TOO_LONG,
	toDraft,
} from "../draft-messages.ts";
import type { Leased } from "../store/campaign-leases.ts";
import { addProgress, resumeCampaign } from "../store/campaign-progress.ts";
import { returnShare } from "../store/quota-shares.ts";
import {
	applyResults,
	type PendingRecipient,
	type RecipientResult,
} from "../store/recipients.ts";
import { type SentBatch, settleSentBatch } from "../store/sent-batches.ts";
import { beginBatch, LEASE_LOST, sendDrafts } from "./send-drafts.ts";

type Draft = DraftTo<PendingRecipient>;

/** What the whole campaign must wait for, and who was refused for it. */
export interface Obstacle {
	readonly reason: string;
	readonly phones: readonly string[];
}

/** Nobody has sent to this recipient, and the call did not either. */
const NOT_SENT = "not_sent";

/** A batch is sent for the first time, or again; a replay only learns who was sent to before. */
type Sending = "first" | "again" | "replay";

/** Nobody of a batch has a result: all of them must be asked for again. */
export const ALL_WAIT = "all_wait";

interface Attempt {
	readonly batch: SentBatch;
	readonly drafts: readonly Draft[];
	readonly sent: readonly SendResult[];
	readonly sending: Sending;
}

export async function sendBatch(
	ctx: Context,
	campaign: Leased,
	recipients: readonly PendingRecipient[],
): Promise<Obstacle | typeof ALL_WAIT | undefined> {
	const drafts = recipients.map((one) => toDraft(campaign, one));
	const { fitting, tooLong } = divideByLength(drafts);
	if (tooLong.length > 0) {
		const results = tooLong.map(toTooLong);
		await transaction(ctx.sql, (sql) => settle(sql, campaign, results, true));
		count(ctx, results);
	}
	if (fitting.length === 0) return undefined;
	const batch = await beginBatch(ctx, campaign, fitting);
	if (batch === LEASE_LOST) return undefined;
	const covered = fitting.slice(0, batch?.sequences.length ?? 0);
	const beyond = fitting
		.slice(covered.length)
		.map(({ phone }) => ({ phone, reason: "quota_share_used" }));
	if (batch === undefined) return toObstacle(beyond);
	const refused = await sendAndSettle(
		ctx,
		campaign,
		batch,
		covered,
		"first",
		beyond,
	);
	return refused === ALL_WAIT ? ALL_WAIT : toObstacle([...refused, ...beyond]);
}

/** Returns who was refused for what the whole campaign must wait for. */
export async function sendAndSettle(
	ctx: Context,
	campaign: Leased,
	batch: SentBatch,
	drafts: readonly Draft[],
	sending: Sending,
	beyond: readonly Refused[],
): Promise<Refused[] | typeof ALL_WAIT> {
	const isReplay = sending === "replay";
	const sent = await sendDrafts(ctx, campaign, drafts, isReplay);
	fault("campaigns.after_send");
	const results = readResults(campaign, drafts, sent);
	const refused = findRefused(drafts, sent);
	const isHeldUp = refused.length + beyond.length > 0;
	await transaction(ctx.sql, async (sql) => {
		await settle(sql, campaign, results, isHeldUp);
		const attempt = { batch, drafts, sent, sending };
		await settleShare(sql, campaign, attempt);
	});
	count(ctx, results);
	const isAnySettled = drafts.length === 0 || results.length > 0;
	return isAnySettled || isHeldUp ? refused : ALL_WAIT;
}

/** Gives back what the batch did not use; who is to be asked for again keeps a unit. */
async function settleShare(
	sql: Tx,
	{ organizationId }: Leased,
	{ batch, drafts, sent, sending }: Attempt,
): Promise<void> {
	// Of messages that were accepted before, those count that this batch has paid for.
	const isPaid = ({ result }: SendResult) =>
		result.case === "accepted" &&
		(sending !== "first" || !result.value.replayed);
	const settledBefore = batch.sequences.length - drafts.length;
	const paid = sent.filter(isPaid).length + settledBefore;
	const open = drafts
		.filter((_, index) => mustAskAgain(sent[index]))
		.map(({ sequence }) => sequence);
	const free = await settleSentBatch(sql, batch.id, open, paid);
	if (free > 0) await returnShare(sql, organizationId, free);
}

function mustAskAgain(sent: SendResult | undefined): boolean {
	if (sent?.result.case === "accepted") return false;
	const reason = sent?.result.value?.reason;
	return reason === undefined || refusalKind(reason) === "again";
}

function toTooLong({ phone }: Draft): RecipientResult {
	return { phone, state: "skipped", reason: TOO_LONG };
}

/** Of a campaign that goes on, who was not sent to is sent to by another batch. */
function readResults(
	{ status }: Leased,
	drafts: readonly Draft[],
	sent: readonly SendResult[],
): RecipientResult[] {
	return drafts.flatMap(({ phone }, index): RecipientResult[] => {
		const result = sent[index]?.result;
		if (result?.case === "accepted")
			return [{ phone, state: "accepted", messageId: result.value.messageId }];
		const reason = result?.value?.reason;
		if (reason === undefined || refusalKind(reason) !== "skip") return [];
		if (reason !== NOT_SENT) return [{ phone, state: "skipped", reason }];
		if (status !== "cancelled") return [];
		return [{ phone, state: "skipped", reason: "cancelled" }];
	});
}

interface Refused {
	readonly phone: string;
	readonly reason: string;
}

function findRefused(
	drafts: readonly Draft[],
	sent: readonly SendResult[],
): Refused[] {
	return drafts.flatMap(({ phone }, index) => {
		const result = sent[index]?.result;
		if (result?.case !== "refused") return [];
		const { reason } = result.value;
		return refusalKind(reason) === "pause" ? [{ phone, reason }] : [];
	});
}

function toObstacle(refused: readonly Refused[]): Obstacle | undefined {
	const [first] = refused;
	if (first === undefined) return undefined;
	return { reason: first.reason, phones: refused.map(({ phone }) => phone) };
}

/** Only an acceptance ends a pause: a recipient may be refused before the sender or the quota is looked at. */
async function settle(
	sql: Tx,
	{ id }: Leased,
	results: readonly RecipientResult[],
	isHeldUp: boolean,
): Promise<void> {
	await addProgress(sql, id, await applyResults(sql, id, results));
	const isAccepted = results.some(({ state }) => state === "accepted");
	if (isAccepted && !isHeldUp) await resumeCampaign(sql, id);
}

function count(ctx: Context, results: readonly RecipientResult[]): void {
	for (const { state } of results)
		ctx.telemetry.recipients.inc({ result: state });
}

/** Skips recipients whose organization is closed: they were refused for good. */
export async function skipRefused(
	ctx: Context,
	campaign: Leased,
	phones: readonly string[],
): Promise<void> {
	const results = phones.map((phone) => ({
		phone,
		state: "skipped" as const,
		reason: "organization_closed",
	}));
	await transaction(ctx.sql, (sql) => settle(sql, campaign, results, true));
}
