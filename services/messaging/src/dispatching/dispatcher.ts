import type { Db } from "@airtower/platform/database/database";
import { createWaker } from "@airtower/platform/runtime/waiting";
import {
	createGroupRounds,
	type GroupRounds,
} from "@airtower/platform/work/due-groups";
import type { Operator } from "../operators/operator.ts";
import {
	type ClaimedMessage,
	listDueOrganizations,
} from "../store/dispatch/dispatch-claims.ts";
import { claimKey } from "../store/dispatch/dispatch-settles.ts";

/** The part of one process's work that goes to one operator. */
export interface Dispatcher {
	readonly operator: Operator;
	/** Segments that may be claimed now. A submit keeps its slot until it is settled. */
	capacity(): number;
	/** Resolves once half the window is free, or some of it for {@link LINGER_MS}. */
	waitForCapacity(signal: AbortSignal): Promise<void>;
	/** Remembers a claim until its attempt is settled. One whose settle fails is never forgotten. */
	track(message: ClaimedMessage, attempt: Promise<void>): void;
	owned(): ClaimedMessage[];
	idle(): Promise<void>;
	/** Which organizations the next claim is for: each gets its share, one round after another. */
	readonly rounds: GroupRounds<ClaimedMessage>;
	/** True after a claim without a response: rows may carry our token that nobody here knows of. */
	hasLostClaim: boolean;
}

/** Claims that do not fill half the window are so far apart, ms. */
export const LINGER_MS = 20;
const LOOK_EVERY_MS = 1_000;

export function createDispatcher(
	sql: Db,
	operator: Operator,
	onUnsettled: (error: unknown) => void,
): Dispatcher {
	const owned = new Map<string, ClaimedMessage>();
	const attempts = new Set<Promise<void>>();
	let unsettled = 0;
	let onChange = () => {};
	operator.onCapacity(() => onChange());

	function capacity(): number {
		return Math.max(
			0,
			Math.min(operator.capacity(), operator.window - unsettled),
		);
	}

	return {
		operator,
		rounds: createGroupRounds({
			list: (after, limit) =>
				listDueOrganizations(sql, operator.code, after, limit),
			groupOf: ({ organizationId }) => organizationId,
			weightOf: ({ segments }) => segments,
		}),
		hasLostClaim: false,
		capacity,
		async waitForCapacity(signal) {
			const waker = createWaker(signal);
			onChange = waker.wake;
			let until = Number.POSITIVE_INFINITY;
			while (!signal.aborted) {
				waker.reset();
				const [now, free] = [performance.now(), capacity()];
				const isHalf = free > 0 && free * 2 >= operator.window;
				if (isHalf || now >= until) return;
				if (free > 0) until = Math.min(until, now + LINGER_MS);
				await waker.wait(Math.min(until - now, LOOK_EVERY_MS));
			}
		},
		track(message, attempt) {
			const key = claimKey(message);
			unsettled += message.segments;
			owned.set(key, message);
			const ended = attempt
				.then(() => {
					owned.delete(key);
				}, onUnsettled)
				.finally(() => {
					unsettled -= message.segments;
					attempts.delete(ended);
					onChange();
				});
			attempts.add(ended);
		},
		owned: () => [...owned.values()],
		async idle() {
			await Promise.all(attempts);
		},
	};
}
