import { findCallingCode } from "@airtower/proto/rules/phone-number";
import { MAX_RECEIPT_WAIT_S } from "./domain/receipts/judge-receipts.ts";
import type { FinishedMessage } from "./store/message-updates.ts";
import type { TrafficCount } from "./store/routes/route-traffic.ts";

const MINUTE_MS = 60_000;

/**
 * What a process has counted of its routes and not stored yet. It is lost with a process that is killed: it serves to
 * judge routes, not to pay them.
 */
export interface RouteTraffic {
	/** To be called once it is committed that an operator has taken the whole message. */
	countSubmitted(route: string, recipient: string, submittedAt: Date): void;
	/** To be called once it is committed that a receipt has ended the message. */
	countEnded(message: FinishedMessage): void;
	/** Returns the counts and begins anew. */
	take(): TrafficCount[];
	/** Counts again what could not be stored. */
	putBack(counts: readonly TrafficCount[]): void;
}

type Counts = { -readonly [Field in keyof TrafficCount]: TrafficCount[Field] };

export function createRouteTraffic(): RouteTraffic {
	let counts = new Map<string, Counts>();

	function find(route: string, prefix: string, minuteMs: number): Counts {
		const key = `${minuteMs} ${prefix} ${route}`;
		let found = counts.get(key);
		if (found === undefined) {
			const minute = new Date(minuteMs);
			found = { route, prefix, minute, ...NOTHING };
			counts.set(key, found);
		}
		return found;
	}

	function countsOf(route: string, recipient: string, submittedAt: Date) {
		const time = submittedAt.getTime();
		return find(route, findCallingCode(recipient), time - (time % MINUTE_MS));
	}

	return {
		countSubmitted(route, recipient, submittedAt) {
			countsOf(route, recipient, submittedAt).submitted++;
		},
		countEnded({ route, recipient, submittedAt, finishedAt, status }) {
			if (submittedAt === null) return;
			const count = countsOf(route, recipient, submittedAt);
			count[status]++;
			const seconds = (finishedAt.getTime() - submittedAt.getTime()) / 1_000;
			count.receiptSeconds += Math.min(
				MAX_RECEIPT_WAIT_S,
				Math.max(0, seconds),
			);
		},
		take() {
			const taken = [...counts.values()];
			counts = new Map();
			return taken;
		},
		putBack(taken) {
			for (const one of taken) {
				const count = find(one.route, one.prefix, one.minute.getTime());
				count.submitted += one.submitted;
				count.delivered += one.delivered;
				count.failed += one.failed;
				count.receiptSeconds += one.receiptSeconds;
			}
		},
	};
}

const NOTHING = { submitted: 0, delivered: 0, failed: 0, receiptSeconds: 0 };
