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
	applyResults,
	type PendingRecipient,
	type RecipientResult,
} from "../store/recipients.ts";

const SEND_TIMEOUT_MS = 15_000;

interface Draft {
	readonly phone: string;
	readonly body: string;
}

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
	const sent = await send(ctx, campaign, fitting);
	fault("campaigns.after_send");
	const results = [...readResults(fitting, sent), ...tooLong.map(toTooLong)];
	const obstacle = findObstacle(fitting, sent);
	if (results.length === 0 && obstacle === undefined)
		throw new Error("No recipient could be settled.");
	await transaction(ctx.sql, (sql) =>
		settle(sql, campaign, results, obstacle !== undefined),
	);
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
		const result = sent[index]?.result;
		if (result?.case !== "refused") return [];
		const { reason } = result.value;
		return refusalKind(reason) === "pause" ? [{ phone, reason }] : [];
	});
	const [first] = held;
	return first && { ...first, phones: held.map(({ phone }) => phone) };
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
