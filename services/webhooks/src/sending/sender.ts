import type { Db } from "@airtower/platform/database/database";
import type { Logger } from "@airtower/platform/runtime/log";
import type { KeyRing } from "@airtower/platform/sealing/key-ring";
import { openSecret } from "@airtower/platform/sealing/sealed-secret";
import type { Lease } from "@airtower/platform/work/lease";
import type { Settler } from "@airtower/platform/work/settling";
import { createWorker, type Worker } from "@airtower/platform/work/worker";
import {
	type ClaimedDelivery,
	claimDeliveries,
	deliveryQueue,
} from "../store/delivery-queue.ts";
import {
	findActiveEndpoints,
	type SendableEndpoint,
} from "../store/recipients.ts";
import type { Settlement } from "../store/settlements.ts";
import {
	type AttemptOptions,
	attemptDelivery,
	type PreparedDelivery,
	type Recipient,
} from "./attempt.ts";

export type Sender = Worker<ClaimedDelivery>;

export interface SenderOptions extends AttemptOptions {
	readonly sql: Db;
	readonly log: Logger;
	readonly lease: Lease;
	readonly ring: KeyRing;
	readonly settler: Settler<Settlement>;
}

const MAX_CLAIM = 500;
/** Ended attempts that may wait to be settled: a slow database slows the sender down. */
const MAX_UNSETTLED = 1_000;

const INACTIVE: Recipient = { error: "endpoint_inactive" };

/** Endpoints have queues of their own, which deal the slots of a claim and get them back once an attempt has ended. */
export function createSender(options: SenderOptions): Sender {
	const { sql, log, lease, settler, queues } = options;
	return createWorker<"eventId" | "endpointId", PreparedDelivery, Settlement>({
		sql,
		log,
		lease,
		settler,
		queue: deliveryQueue,
		window: () => MAX_CLAIM,
		capacity: () => Math.min(MAX_CLAIM, MAX_UNSETTLED - settler.depth()),
		claim: (limit, token) => claim(options, limit, token),
		attempt: (delivery, mayWrite) =>
			attemptDelivery(options, delivery, mayWrite),
		unsent({ endpointId }) {
			queues.postpone(endpointId, performance.now());
			return undefined;
		},
	});
}

/** In this order: who deletes an endpoint and then sees no claim on it knows that nothing more is sent there. */
async function claim(
	options: SenderOptions,
	limit: number,
	token: string,
): Promise<PreparedDelivery[]> {
	const { sql, queues, telemetry } = options;
	const shares = queues.reserve(limit, performance.now());
	if (shares.length === 0) return [];
	const filled = new Map<string, number>();
	try {
		const claimed = await claimDeliveries(sql, shares, token);
		const byEndpoint = Map.groupBy(claimed, ({ endpointId }) => endpointId);
		const recipients = await findRecipients(options, [...byEndpoint.keys()]);
		for (const [id, { length }] of byEndpoint) filled.set(id, length);
		return claimed.map((delivery) => ({
			...delivery,
			recipient: recipients.get(delivery.endpointId) ?? INACTIVE,
		}));
	} finally {
		queues.confirm(shares, filled);
		telemetry.inFlight.set(queues.inFlight);
	}
}

async function findRecipients(
	options: SenderOptions,
	ids: string[],
): Promise<Map<string, Recipient>> {
	if (ids.length === 0) return new Map();
	const rows = await findActiveEndpoints(options.sql, ids);
	return new Map([...rows].map(([id, row]) => [id, toRecipient(options, row)]));
}

/** Its endpoint's trouble alone, which a setting may mend. */
function toRecipient(
	{ ring, log }: SenderOptions,
	{ id, url, secret, retiredSecrets }: SendableEndpoint,
): Recipient {
	const open = (ciphertext: Uint8Array) =>
		openSecret(ring, ciphertext, id).toString();
	try {
		return { url, secrets: [open(secret), ...retiredSecrets.map(open)] };
	} catch (error) {
		log.error({ err: error, endpointId: id }, "signing secret unreadable");
		return { error: "secret_unreadable" };
	}
}
