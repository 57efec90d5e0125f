import { type Tx, transaction } from "@airtower/platform/database/database";
import { fault } from "@airtower/platform/runtime/fault";
import type { SendResult } from "@airtower/proto/messaging/v1/messaging";
import type { Context } from "../context.ts";
import { isTooLong, renderTemplate } from "../domain/message-template.ts";
import { refusalKind } from "../domain/refusal.ts";
import type { Leased } from "../store/campaign-leases.ts";
import { addProgress, resumeCampaign } from "../store/campaign-progress.ts";
import {
	applyResults,
	type PendingRecipient,
	type RecipientResult,
} from "../store/recipients.ts";
import { type Draft, sendWithinShare } from "./send-drafts.ts";

/** What the whole campaign must wait for, and who was refused for it. */
export interface Obstacle {
	readonly reason: string;
	readonly phones: readonly string[];
}

export async function sendBatch(
	ctx: Context,
	campaign: Leased,
	recipients: readonly PendingRecipient[],
): Promise<Obstacle | undefined> {
	const drafts = recipients.map((one) => toDraft(campaign, one));
	const { fitting = [], tooLong = [] } = Object.groupBy(drafts, ({ body }) =>
		isTooLong(body) ? "tooLong" : "fitting",
	);
	const sent = await sendWithinShare(ctx, campaign, fitting);
	fault("campaigns.after_send");
	const results = [...readResults(fitting, sent), ...tooLong.map(toTooLong)];
	const obstacle = findObstacle(fitting, sent);
	if (results.length === 0 && obstacle === undefined)
		throw new Error("No recipient could be settled.");
	await transaction(ctx.sql, (sql) =>
		settle(sql, campaign, results, obstacle !== undefined),
	);
	for (const { state } of results)
		ctx.telemetry.recipients.inc({ result: state });
	return obstacle;
}

function toDraft(
	{ messageTemplate }: Leased,
	{ phone, name }: PendingRecipient,
): Draft {
	return { phone, body: renderTemplate(messageTemplate, name) };
}

/** A call of 500 texts with names in many places would be more than a server reads. */
function toTooLong({ phone }: Draft): RecipientResult {
	return { phone, state: "skipped", reason: "message_too_long" };
}

function readResults(
	drafts: readonly Draft[],
	sent: readonly SendResult[],
): RecipientResult[] {
	return drafts.flatMap(({ phone }, index): RecipientResult[] => {
		const result = sent[index]?.result;
		if (result?.case === "accepted")
			return [{ phone, state: "accepted", messageId: result.value.messageId }];
		const reason = result?.value?.reason;
		if (reason === undefined || refusalKind(reason) !== "skip") return [];
		return [{ phone, state: "skipped", reason }];
	});
}

function findObstacle(
	drafts: readonly Draft[],
	sent: readonly SendResult[],
): Obstacle | undefined {
	const held = drafts.flatMap(({ phone }, index) => {
		const reason = pauseReason(sent[index]);
		return reason === undefined ? [] : [{ phone, reason }];
	});
	const [first] = held;
	return first && { ...first, phones: held.map(({ phone }) => phone) };
}

function pauseReason(sent: SendResult | undefined): string | undefined {
	if (sent === undefined) return "quota_share_used";
	const { result } = sent;
	if (result.case !== "refused") return undefined;
	const { reason } = result.value;
	return refusalKind(reason) === "pause" ? reason : undefined;
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
