import { setTimeout as delay } from "node:timers/promises";
import type { Db } from "@airtower/platform/database/database";
import type { Lease } from "@airtower/platform/work/lease";
import { releaseUntracked } from "@airtower/platform/work/release-untracked";
import type { ClaimedMessage } from "../store/dispatch/claims.ts";
import { dispatchQueue } from "../store/dispatch/dispatch.ts";

export interface Dispatcher {
	readonly lease: Lease;
	readonly inFlight: Map<ClaimedMessage, Promise<void>>;
	/** False after a claim or a mark that failed: rows may carry the lease's token that nobody here knows of. */
	knowsItsRows: boolean;
}

/** Longest wait for attempts in flight at a graceful stop, ms; what is being submitted then is unknown. */
const STOP_WAIT_MS = 15_000;

export function createDispatcher(lease: Lease): Dispatcher {
	return { lease, inFlight: new Map(), knowsItsRows: true };
}

/** Puts rows back to wait that were claimed or marked by a statement without a response: nothing of them was sent. */
export async function releaseLost(
	sql: Db,
	dispatcher: Dispatcher,
): Promise<void> {
	if (dispatcher.knowsItsRows) return;
	await releaseUntracked(sql, dispatchQueue, {
		token: dispatcher.lease.token(),
		known: [...dispatcher.inFlight.keys()],
		within: sql`true`,
		set: sql`, submitting = false`,
	});
	dispatcher.knowsItsRows = true;
}

export async function waitForAttempts({ inFlight }: Dispatcher): Promise<void> {
	const timer = new AbortController();
	await Promise.race([
		Promise.all(inFlight.values()),
		delay(STOP_WAIT_MS, undefined, { signal: timer.signal }).catch(() => {}),
	]);
	timer.abort();
}
