import {
	type Db,
	type Tx,
	transaction,
} from "@airtower/platform/database/database";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import type { Logger } from "@airtower/platform/runtime/log";
import {
	insertDispatcher,
	renewLease,
	shareLease,
} from "../store/dispatchers.ts";

/** This process's right to the rows that it has claimed; its token stands in each of them. */
export interface Lease {
	/** Changes when the lease was lost: rows under an earlier token belong to others by now. */
	token(): string;
	/** True while nobody else can have taken over the rows under a token, by this process's own clock. */
	covers(token: string): boolean;
	/** Prolongs the lease, or begins a new one when it was lost. */
	renew(): Promise<void>;
	/**
	 * Runs work that claims rows, during which the lease cannot be taken over; undefined when it is lost.
	 * What `find` reads goes to the database together with the question for the lease.
	 */
	claiming<F, T>(
		find: (sql: Tx) => Promise<F>,
		claim: (sql: Tx, found: F, token: string) => Promise<T>,
	): Promise<T | undefined>;
}

/** Begins a lease of `leaseMs`, to be renewed well before it runs out. */
export async function createLease(
	sql: Db,
	leaseMs: number,
	log: Logger,
): Promise<Lease> {
	let token = uuidv7();
	let freshUntil = performance.now() + leaseMs;
	await insertDispatcher(sql, token, leaseMs);

	async function renew(): Promise<void> {
		const askedAt = performance.now();
		if (!(await renewLease(sql, token, leaseMs))) {
			log.warn("the dispatch lease was lost; another process has taken over");
			const fresh = uuidv7();
			await insertDispatcher(sql, fresh, leaseMs);
			token = fresh;
		}
		freshUntil = askedAt + leaseMs;
	}

	async function claiming<F, T>(
		find: (sql: Tx) => Promise<F>,
		claim: (sql: Tx, found: F, token: string) => Promise<T>,
	): Promise<T | undefined> {
		const held = token;
		return transaction(sql, async (sql) => {
			const [isOurs, found] = await Promise.all([
				shareLease(sql, held),
				find(sql),
			]);
			return isOurs ? claim(sql, found, held) : undefined;
		});
	}

	return {
		token: () => token,
		covers: (claimedUnder) =>
			claimedUnder === token && performance.now() < freshUntil,
		renew,
		claiming,
	};
}
