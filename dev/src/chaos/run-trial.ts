import { setTimeout as delay } from "node:timers/promises";
import { checkInvariants } from "./invariants/check-all.ts";
import { countExtraSubmits } from "./invariants/operator.ts";
import { startLoad } from "./load/load.ts";
import { randomFrom } from "./random.ts";
import type { Result } from "./results.ts";
import type { ChaosSystem } from "./target/chaos-system.ts";
import type { Baseline } from "./target/resources.ts";
import { openRoutes } from "./target/routes.ts";
import { WINDOW } from "./target/settings.ts";
import { openTenant } from "./target/tenants.ts";
import type { Fault, Trial } from "./trial.ts";

interface TrialOptions {
	readonly fault: Fault;
	readonly seed: number;
	readonly isLong: boolean;
	readonly baseline: Baseline;
}

/** Before the fault and after it the load goes on for so long, ms. */
const AROUND_MS = { short: 1_000, long: 5_000 };

/** Acts one fault out under a load of its own, waits until the system is quiet, and judges. */
export async function runTrial(
	target: ChaosSystem,
	options: TrialOptions,
): Promise<Result> {
	const startedAt = performance.now();
	const { fault, seed, isLong } = options;
	const trial = await beginTrial(target, options);
	const aroundMs = AROUND_MS[isLong ? "long" : "short"];
	await delay(aroundMs);
	const wrong = await fault
		.act(trial)
		.catch((error: Error) => [`fault: ${error.message}`]);
	await delay(aroundMs);
	await trial.load.stop();
	const broken = [
		...(wrong ?? []),
		...target.takeUnexpectedEnds(),
		...(await checkInvariants(trial).catch((error: Error) => [
			`check: ${error.message}`,
		])),
	];
	return {
		fault: fault.number,
		name: fault.name,
		seed,
		broken,
		messages: trial.load.ledger.messageIds().length,
		repeatedTries: trial.load.ledger.failedTries,
		extraSubmits: await countExtraSubmits(trial),
		allowedSubmits: trial.lostWindows * WINDOW,
		note: trial.note,
		seconds: Math.round((performance.now() - startedAt) / 1_000),
	};
}

/** Starts the load. */
export async function beginTrial(
	target: ChaosSystem,
	{ fault, seed, isLong, baseline }: TrialOptions,
): Promise<Trial> {
	const run = `s${seed}f${fault.number}`;
	const open = (name: string) =>
		openTenant(
			target.clients,
			target.system.baseUrl,
			target.receiver,
			`${run}${name}`,
		);
	const tenants = {
		a: await open("a"),
		b: await open("b"),
		w: target.whatsapp,
	};
	const random = randomFrom(seed * 1_000 + fault.number);
	const routes = await openRoutes(target.clients, fault.overAllRoutes === true);
	return {
		target,
		tenants,
		seed,
		random,
		run,
		isLong,
		baseline,
		load: startLoad({
			tenants,
			run,
			random,
			isLong,
			baseUrls: [target.apiUrl],
		}),
		routes,
		lostWindows: 0,
		hadOldRelease: false,
		note: "",
	};
}
