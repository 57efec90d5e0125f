import { openSecret } from "@airtower/platform/sealing/sealed-secret";
import { releaseUntracked } from "@airtower/platform/work/release-untracked";
import type { Context } from "../context.ts";
import type { Share } from "../domain/fair-share.ts";
import { type Recipient, startAttempt } from "../sending/attempt.ts";
import {
	type ClaimedDelivery,
	claimDeliveries,
	deliveryQueue,
} from "../store/delivery-queue.ts";
import {
	findActiveEndpoints,
	type SendableEndpoint,
} from "../store/recipients.ts";

const MAX_CLAIM = 500;
/** Ended attempts that may wait to be settled: a slow database slows the sender down. */
const MAX_UNSETTLED = 1_000;

const INACTIVE: Recipient = { error: "endpoint_inactive" };

/** Returns how many attempts it started, without waiting for them. */
export async function deliver(ctx: Context): Promise<number> {
	if (ctx.attempts.mayHaveLost) await releaseLost(ctx);
	const free = Math.min(MAX_CLAIM, MAX_UNSETTLED - ctx.settler.depth());
	const shares = ctx.queues.reserve(free, performance.now());
	if (shares.length === 0) return 0;
	const claimed = await claim(ctx, shares);
	ctx.telemetry.inFlight.set(ctx.queues.inFlight);
	return claimed;
}

/** What a claim or settle that failed left under our token. */
async function releaseLost({ sql, lease, attempts }: Context): Promise<void> {
	attempts.mayHaveLost = false;
	try {
		await releaseUntracked(sql, deliveryQueue, {
			token: lease.token(),
			known: attempts.deliveries(),
			within: sql`true`,
		});
	} catch (error) {
		attempts.mayHaveLost = true;
		throw error;
	}
}

/** In this order: who deletes an endpoint and then sees no claim on it knows that nothing more is sent there. */
async function claim(ctx: Context, shares: Share[]): Promise<number> {
	const filled = new Map<string, number>();
	try {
		const claimed = await claimDeliveries(ctx.sql, shares, ctx.lease.token());
		const byEndpoint = Map.groupBy(claimed, ({ endpointId }) => endpointId);
		const recipients = await findRecipients(ctx, [...byEndpoint.keys()]);
		for (const [id, deliveries] of byEndpoint) {
			filled.set(id, deliveries.length);
			start(ctx, deliveries, recipients.get(id));
		}
		return claimed.length;
	} catch (error) {
		ctx.attempts.mayHaveLost = true;
		throw error;
	} finally {
		ctx.queues.confirm(shares, filled);
	}
}

function start(
	ctx: Context,
	deliveries: readonly ClaimedDelivery[],
	recipient = INACTIVE,
): void {
	for (const delivery of deliveries) startAttempt(ctx, delivery, recipient);
}

async function findRecipients(
	ctx: Context,
	ids: string[],
): Promise<Map<string, Recipient>> {
	if (ids.length === 0) return new Map();
	const rows = await findActiveEndpoints(ctx.sql, ids);
	return new Map([...rows].map(([id, row]) => [id, toRecipient(ctx, row)]));
}

/** Its endpoint's trouble alone, which a setting may mend. */
function toRecipient(
	ctx: Context,
	{ id, url, secret, retiredSecrets }: SendableEndpoint,
): Recipient {
	const open = (ciphertext: Uint8Array) =>
		openSecret(ctx.ring, ciphertext, id).toString();
	try {
		return { url, secrets: [open(secret), ...retiredSecrets.map(open)] };
	} catch (error) {
		ctx.log.error({ err: error, endpointId: id }, "signing secret unreadable");
		return { error: "secret_unreadable" };
	}
}
