import {
	type Db,
	type Tx,
	transaction,
} from "@airtower/platform/database/database";
import type { Logger } from "@airtower/platform/runtime/log";
import { BACKGROUND_LINGER_MS } from "@airtower/platform/runtime/loop";
import type { KeyRing } from "@airtower/platform/sealing/key-ring";
import { openSecret } from "@airtower/platform/sealing/sealed-secret";
import type { Lease } from "@airtower/platform/work/lease";
import {
	createSettling,
	type Settler,
} from "@airtower/platform/work/micro-batcher";
import { createWorker, type Worker } from "@airtower/platform/work/worker";
import {
	type DisabledEndpoint,
	type EndpointTally,
	findActiveEndpoints,
	lockAddresses,
	recordTallies,
	type SendableEndpoint,
} from "../store/active-endpoints.ts";
import {
	type ClaimedDelivery,
	claimDeliveries,
	deliveryId,
	deliveryQueue,
	type Settlement,
	settleDeliveries,
	type Target,
} from "../store/delivery-queue.ts";
import { announceDisabled } from "../store/events.ts";
import type { Telemetry } from "../telemetry.ts";
import {
	type AttemptOptions,
	attemptDelivery,
	type PreparedDelivery,
	type Recipient,
} from "./attempt.ts";
import type { EndpointQueues } from "./endpoint-queues.ts";

export type Sender = Worker<ClaimedDelivery>;

interface SenderOptions extends AttemptOptions {
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

interface SettlerOptions {
	readonly sql: Db;
	readonly log: Logger;
	readonly telemetry: Telemetry;
	readonly queues: EndpointQueues;
	/** Ends the waiting for a database that is away. */
	readonly signal: AbortSignal;
}

const MAX_BATCH = 500;

/** Records attempts for as long as the database is away: one that is not recorded would be posted again. */
export function createSettler(options: SettlerOptions): Settler<Settlement> {
	const { sql, log, signal, queues } = options;
	return createSettling({
		maxBatch: MAX_BATCH,
		lingerMs: BACKGROUND_LINGER_MS,
		log,
		signal,
		withoutResponse: (attempt) => ({ ...attempt, httpStatus: null }),
		settle: async (attempts) => {
			const settled = await settle(sql, attempts);
			report(options, settled);
			queues.announce(settled.targets);
		},
	});
}

interface Settled {
	readonly attempts: readonly Settlement[];
	readonly ids: ReadonlySet<string>;
	readonly disabled: readonly DisabledEndpoint[];
	readonly targets: readonly Target[];
}

function settle(sql: Db, ended: readonly Settlement[]): Promise<Settled> {
	return transaction(sql, async (sql) => {
		const attempts = await keepMoved(sql, ended);
		const ids = await settleDeliveries(sql, attempts);
		const ours = attempts.filter((attempt) => ids.has(deliveryId(attempt)));
		const disabled = await recordTallies(sql, toTallies(ours));
		const targets = await announceDisabled(sql, disabled);
		return { attempts, ids, disabled, targets };
	});
}

const isGone = ({ error }: Settlement) => error === "gone";

/** What an address said to be gone for goes to the address that replaced it meanwhile, at once. */
async function keepMoved(
	sql: Tx,
	attempts: readonly Settlement[],
): Promise<readonly Settlement[]> {
	const gone = new Set(attempts.filter(isGone));
	if (gone.size === 0) return attempts;
	const ids = [...gone].map(({ endpointId }) => endpointId);
	const addresses = await lockAddresses(sql, ids);
	return attempts.map((attempt) => {
		const address = addresses.get(attempt.endpointId) ?? attempt.url;
		return gone.has(attempt) && address !== attempt.url
			? { ...attempt, state: "pending", delayMs: 0 }
			: attempt;
	});
}

/** In the order of their ids, so that two processes lock endpoints in the same order. */
function toTallies(attempts: readonly Settlement[]): EndpointTally[] {
	const theirs = attempts.filter(({ isOwnFailure }) => !isOwnFailure);
	const byEndpoint = Map.groupBy(theirs, ({ endpointId }) => endpointId);
	return [...byEndpoint]
		.sort(([one], [other]) => (one < other ? -1 : 1))
		.map(([endpointId, ended]) => {
			const failed = ended.filter(({ state }) => state !== "delivered").length;
			const dead = ended.filter(({ state }) => state === "dead");
			const goneUrl = dead.find(isGone)?.url ?? null;
			return { endpointId, succeeded: ended.length - failed, failed, goneUrl };
		});
}

const toError = ({ error }: Settlement) => error;

function report(
	{ log, telemetry }: SettlerOptions,
	{ attempts, ids, disabled }: Settled,
): void {
	for (const attempt of attempts) {
		const { eventId, endpointId, error, httpStatus } = attempt;
		if (!ids.has(deliveryId(attempt))) {
			telemetry.fenced.inc();
			log.warn({ eventId, endpointId }, "attempt outlived its lease");
		} else if (attempt.state === "dead") {
			telemetry.dead.inc();
			log.warn({ eventId, endpointId, error, httpStatus }, "delivery given up");
		}
	}
	const own = attempts.filter(({ isOwnFailure }) => isOwnFailure);
	for (const [error, { length: deliveries }] of Map.groupBy(own, toError))
		log.error(
			{ error, deliveries },
			"callbacks wait: the egress proxy or a key fails",
		);
	for (const { id: endpointId, reason } of disabled) {
		telemetry.disabled.inc({ reason });
		log.warn({ endpointId, reason }, "endpoint disabled");
	}
}
