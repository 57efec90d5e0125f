import { setTimeout as delay } from "node:timers/promises";
import type { SmppOperator } from "../target/control.ts";
import { SMPP_ROUTE } from "../target/settings.ts";
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
const THROTTLED_MS = 8_000;
/**
 * In the long form a route that gets three quarters of a load without pauses is throttled to this, submits a second.
 */
const HIGH_RATE = 100;
/**
 * A message occupies the window from its claim until it is recorded, which takes 0.1 s on a busy machine: the usual
 * window of 10 would be what limits the route then.
 */
const HIGH_WINDOW = "50";
/** A machine that sends less is throttled to so much less than the route takes. */
const OFFERED_TIMES = 1.5;
const SHARES = { [ROUTE]: 3, web: 1 };
const OFFERED_MS = 15_000;
const SETTLING_MS = 15_000;
const SETTLED_MS = 60_000;
const LEAST_SHARE = 0.9;
/** Its second and ours begin apart, and what was under way then counts. */
const MOST_SHARE = 1.05;
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
		const troubles = trial.isLong
			? [killed, frozen, throttledHigh, withoutReceipts]
			: [killed, frozen, throttled];
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

const throttled: Trouble = async ({ target }) => {
	await throttle(target, THROTTLED_RATE);
	const perSecond = await measureTaken(target, THROTTLED_MS);
	await throttle(target, 0);
	return `throttled: took ${perSecond.toFixed(1)}/s of ${THROTTLED_RATE}`;
};

/** Long, for the route has to be offered more than it takes, and to settle. */
const throttledHigh: Trouble = async ({ target, load }) => {
	const { messagingAdmin, routeRules } = target.clients;
	const setWindow = (window: string) =>
		messagingAdmin.setRoute({ code: ROUTE, settings: { window } });
	const rules: bigint[] = [];
	for (const [route, weight] of Object.entries(SHARES)) {
		const rule = { route, weight, priority: 1 };
		rules.push((await routeRules.addRouteRule(rule)).rule?.id ?? 0n);
	}
	await setWindow(HIGH_WINDOW);
	load.hurry(true);
	await delay(SETTLING_MS);
	const offered = await measureTaken(target, OFFERED_MS);
	const most = Math.max(1, Math.floor(offered / OFFERED_TIMES));
	const rate = Math.min(HIGH_RATE, most);
	await throttle(target, rate);
	await delay(SETTLING_MS);
	const perSecond = await measureTaken(target, SETTLED_MS);
	await throttle(target, 0);
	load.hurry(false);
	await setWindow(SMPP_ROUTE.window);
	for (const id of rules) await routeRules.removeRouteRule({ id });
	const said = `throttled: took ${perSecond.toFixed(1)}/s of ${rate}, ${offered.toFixed(1)}/s before`;
	const share = perSecond / rate;
	if (share < LEAST_SHARE || share > MOST_SHARE)
		throw new Error(`${said}: not within a tenth of its rate.`);
	return said;
};

/** @param submitsPerSecond 0: not at all */
async function throttle(
	{ operator }: Trial["target"],
	submitsPerSecond: number,
): Promise<void> {
	await operator("PATCH", "/settings", { submitsPerSecond }, ROUTE);
}

/** Submits that the operator took, a second. */
async function measureTaken(
	target: Trial["target"],
	forMs: number,
): Promise<number> {
	const before = await countTaken(target);
	const startedAt = performance.now();
	await delay(forMs);
	const taken = (await countTaken(target)) - before;
	return taken / ((performance.now() - startedAt) / 1_000);
}

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
