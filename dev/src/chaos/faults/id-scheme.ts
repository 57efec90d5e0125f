import { setTimeout as delay } from "node:timers/promises";
import { until } from "../target/watch.ts";
import type { Fault, Trial } from "../trial.ts";

const ROUTE = "budget";
/** How that operator writes its ids, in responses and in receipts, and the option of its route that says so. */
const BEFORE = { answerIds: "hex", receiptIds: "dec" };
const BEFORE_IDS = "hex-dec";
const AFTER = { answerIds: "dec", receiptIds: "hex" };
const AFTER_IDS = "dec-hex";

/** Messages are sent for so long before anybody looks, ms. */
const UNNOTICED_MS = { short: 4_000, long: 30_000 };
const FOUND_TIMEOUT_MS = 90_000;
const ENDED_TIMEOUT_MS = 180_000;
/** Every process goes by a change of a route after 5 s: until then messages are still accepted for a paused one. */
const PAUSE_KNOWN_MS = 6_000;

/** 23: of what comes under the new scheme no receipt matches, until it is diagnosed and the proposal applied. */
export const idSchemeChanged: Fault = {
	number: 23,
	name: "operator changes the scheme of its ids, which the receipt doctor finds and mends",
	overAllRoutes: true,
	act: async (trial) => {
		const { target, isLong } = trial;
		const { messagingAdmin } = target.clients;
		await target.operator("PATCH", "/settings", AFTER, ROUTE);
		await delay(UNNOTICED_MS[isLong ? "long" : "short"]);
		const parked = await untilProposed(trial);
		const replayed = await applyProposal(trial);
		// Once nothing of the route is open, the operator has its former scheme again.
		await messagingAdmin.setRouteState({ code: ROUTE, state: "paused" });
		await delay(PAUSE_KNOWN_MS);
		await untilEnded(trial);
		await target.operator("PATCH", "/settings", BEFORE, ROUTE);
		const settings = { ids: BEFORE_IDS };
		await messagingAdmin.setRoute({ code: ROUTE, settings });
		trial.note = `${parked} receipts matched nothing when it was diagnosed, ${replayed} were replayed`;
		return undefined;
	},
};

/** Returns how many receipts the diagnosis tried. */
async function untilProposed({ target }: Trial): Promise<bigint> {
	const { receiptDoctor } = target.clients;
	let receipts = 0n;
	await until(
		async () => {
			const found = await receiptDoctor.diagnoseReceipts({ account: ROUTE });
			receipts = found.receipts;
			return found.findings.some(
				({ proposal, isProposed }) =>
					isProposed && proposal === `ids=${AFTER_IDS}`,
			);
		},
		FOUND_TIMEOUT_MS,
		`ids=${AFTER_IDS} was not proposed`,
	);
	return receipts;
}

/** As `admin receipts apply` does. Returns how many receipts were looked at again. */
async function applyProposal({ target }: Trial): Promise<bigint> {
	const { receiptDoctor } = target.clients;
	let [cursor, replayed] = ["", 0n];
	do {
		const step = await receiptDoctor.applyDiagnosis({
			account: ROUTE,
			proposal: `ids=${AFTER_IDS}`,
			cursor,
		});
		replayed += step.receiptsReplayed;
		cursor = step.cursor;
	} while (cursor !== "");
	return replayed;
}

function untilEnded({ target: { sql } }: Trial): Promise<void> {
	return until(
		async () => {
			const [open] = await sql<[{ count: number }]>`
				select count(*)::int as count
				from messaging.messages
				where route = ${ROUTE}
				and status not in ('delivered', 'failed')
			`;
			return open.count === 0;
		},
		ENDED_TIMEOUT_MS,
		"not every message of the route has ended",
	);
}
