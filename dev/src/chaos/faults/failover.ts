import { setTimeout as delay } from "node:timers/promises";
import type { SmppOperator } from "../target/control.ts";
import { until } from "../target/watch.ts";
import type { Fault, Trial } from "../trial.ts";

const ROUTE: SmppOperator = "simulator";
/** The operator that takes messages and says nothing more of them. */
const SILENT_ROUTE: SmppOperator = "budget";
/** What is told is compared with 5 s; a busy machine may need longer. */
const MOVED_TIMEOUT_MS = 60_000;
const BACK_TIMEOUT_MS = 120_000;
/** Nothing has waited for a route for so long: its messages take others, ms. */
const QUIET_MS = 2_000;
const POLL_MS = 100;
/** Messages by which a route is back, and not only tried. */
const BACK_MESSAGES = 10;
const THROTTLED_RATE = 5;
const THROTTLED_MS = { short: 8_000, long: 60_000 };
/** Receipts are missing three minutes after the last one at the latest. */
const MISSED_TIMEOUT_MS = 420_000;

type Trouble = (trial: Trial) => Promise<string>;

/** 24 */
export const routesFail: Fault = {
	number: 24,
	name: "a route killed, frozen, throttled: its messages take others, and it comes back",
	overAllRoutes: true,
	act: async (trial) => {
		const { messagingAdmin } = trial.target.clients;
		const setUnknown = (unknown: string) =>
			messagingAdmin.setRoute({ code: ROUTE, settings: { unknown } });
		await setUnknown("failover");
		const troubles = [killed, frozen, throttled];
		if (trial.isLong) troubles.push(withoutReceipts);
		const notes: string[] = [];
		for (const trouble of troubles) notes.push(await trouble(trial));
		await setUnknown("");
		trial.note = notes.join("; ");
		return undefined;
	},
};

const killed: Trouble = async (trial) => {
	const { target } = trial;
	trial.lostWindows++;
	await target.kill("smsc", "SIGKILL");
	const moved = await untilMoved(trial, ROUTE);
	const back = await untilBack(trial, ROUTE, () => target.restart("smsc"));
	return `killed: moved after ${moved}, back after ${back}`;
};

/** What was written to it before it stood still, and once more what is tried meanwhile, it may take later. */
const frozen: Trouble = async (trial) => {
	const { target } = trial;
	trial.lostWindows += 2;
	await target.kill("smsc", "SIGSTOP");
	const moved = await untilMoved(trial, ROUTE);
	const back = await untilBack(trial, ROUTE, () =>
		target.kill("smsc", "SIGCONT"),
	);
	return `frozen: moved after ${moved}, back after ${back}`;
};

const throttled: Trouble = async ({ target, isLong }) => {
	const set = (submitsPerSecond: number) =>
		target.operator("PATCH", "/settings", { submitsPerSecond }, ROUTE);
	await set(THROTTLED_RATE);
	const before = await countTaken(target);
	const startedAt = performance.now();
	await delay(THROTTLED_MS[isLong ? "long" : "short"]);
	const taken = (await countTaken(target)) - before;
	const perSecond = taken / ((performance.now() - startedAt) / 1_000);
	await set(0);
	return `throttled: took ${perSecond.toFixed(1)}/s of ${THROTTLED_RATE}`;
};

/** Long, for what a route is used to has to be known, and its silence lasts minutes. */
const withoutReceipts: Trouble = async (trial) => {
	const { target } = trial;
	const hold = (receiptsHeld: boolean) =>
		target.operator("PATCH", "/settings", { receiptsHeld }, SILENT_ROUTE);
	const startedAt = performance.now();
	await hold(true);
	await until(
		async () => {
			const judged = await target.sql`
				select
				from messaging.route_connections
				where route = ${SILENT_ROUTE}
				and health_reason = 'no_receipts'
			`;
			return judged.length > 0;
		},
		MISSED_TIMEOUT_MS,
		`${SILENT_ROUTE} is taken for a route that delivers`,
	);
	const missed = seconds(startedAt);
	const back = await untilBack(trial, SILENT_ROUTE, async () => {
		await hold(false);
		await target.operator("POST", "/resume", undefined, SILENT_ROUTE);
	});
	return `without receipts: moved after ${missed}, back after ${back}`;
};

async function countTaken({ operator }: Trial["target"]): Promise<number> {
	const stats = await operator("GET", "/stats", undefined, ROUTE);
	return (stats as { taken: number }).taken;
}

/** Returns when the last message was seen that waits for the route and might take another. */
async function untilMoved(
	{ target: { sql } }: Trial,
	route: string,
): Promise<string> {
	const startedAt = performance.now();
	let [lastAt, last] = [startedAt, seconds(startedAt)];
	while (performance.now() - lastAt < QUIET_MS) {
		const [waiting] = await sql<[{ count: number }]>`
			select count(*)::int as count
			from messaging.dispatch as work
			where route = ${route}
			and token is null
			and not unknown
			and not resent
			and not exists (
				select
				from messaging.parts
				where parts.message_id = work.message_id
			)
		`;
		if (waiting.count > 0)
			[lastAt, last] = [performance.now(), seconds(startedAt)];
		if (performance.now() - startedAt > MOVED_TIMEOUT_MS)
			throw new Error(
				`${waiting.count} messages still wait for ${route} after ${MOVED_TIMEOUT_MS / 1_000} s.`,
			);
		await delay(POLL_MS);
	}
	return last;
}

/** Returns how long it took until the route sends again once it may. */
async function untilBack(
	{ target: { sql } }: Trial,
	route: string,
	recover: () => Promise<void>,
): Promise<string> {
	const [{ now }] = await sql<[{ now: Date }]>`select clock_timestamp() as now`;
	await recover();
	const startedAt = performance.now();
	await until(
		async () => {
			const [sent] = await sql<[{ count: number }]>`
				select count(*)::int as count
				from messaging.messages
				where route = ${route}
				and accepted_at > ${now}
				and submitted_at is not null
			`;
			return sent.count >= BACK_MESSAGES;
		},
		BACK_TIMEOUT_MS,
		`${route} does not send again`,
	);
	return seconds(startedAt);
}

function seconds(since: number): string {
	return `${((performance.now() - since) / 1_000).toFixed(1)} s`;
}
