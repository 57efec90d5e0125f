import { hash } from "node:crypto";
import { onBehalfOf } from "@airtower/platform/rpc/on-behalf-of";
import type {
	SendMessageSchema,
	SendResult,
} from "@airtower/proto/messaging/v1/messaging";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Context } from "../context.ts";
import type { Leased } from "../store/campaign-leases.ts";
import { returnShare, takeShare } from "../store/quota-shares.ts";

const SEND_TIMEOUT_MS = 15_000;

export interface Draft {
	readonly phone: string;
	readonly body: string;
}

/** Drafts beyond the campaigns' share of a granted quota are not sent, and get no result. */
export async function sendWithinShare(
	ctx: Context,
	campaign: Leased,
	drafts: readonly Draft[],
): Promise<readonly SendResult[]> {
	const { organizationId } = campaign;
	const share = await takeShare(ctx.sql, organizationId, drafts.length);
	const sent = await send(ctx, campaign, drafts.slice(0, share));
	const unused = (share ?? 0) - sent.filter(isPaid).length;
	if (unused > 0) await returnShare(ctx.sql, organizationId, unused);
	return sent;
}

function isPaid({ result }: SendResult): boolean {
	return result.case === "accepted" && !result.value.replayed;
}

async function send(
	ctx: Context,
	campaign: Leased,
	drafts: readonly Draft[],
): Promise<readonly SendResult[]> {
	if (drafts.length === 0) return [];
	const messages = drafts.map((draft) => toMessage(campaign, draft));
	const { results } = await onBehalfOf(campaign.organizationId, () =>
		ctx.messaging.sendMessages({ messages }, { timeoutMs: SEND_TIMEOUT_MS }),
	);
	return results;
}

function toMessage(
	campaign: Leased,
	{ phone, body }: Draft,
): MessageInitShape<typeof SendMessageSchema> {
	const key = phone.slice(1);
	return {
		organizationId: campaign.organizationId,
		to: phone,
		body,
		senderId: campaign.senderId,
		campaignId: campaign.id,
		idempotency: {
			key,
			fingerprint: hash("sha256", `${phone}\n${body}`, "buffer"),
		},
	};
}
