import { setTimeout as delay } from "node:timers/promises";
import { type SecondProcess, startSecond } from "../target/second-process.ts";
import type { Fault, Trial } from "../trial.ts";
import { frozenTogether } from "./frozen-groups.ts";

export type Name = Parameters<typeof startSecond>[1];

/** Those that are called before those that call. */
export const ROLLED: readonly Name[] = [
	...(["accounts", "messaging", "messaging-delivery", "whatsapp"] as const),
	...(["webhooks", "campaigns", "gateway"] as const),
];
const FROZEN_MS = 20_000;

/** 15 */
export const rollingRestart: Fault = {
	number: 15,
	name: "rolling restart of everything, two of each: no request fails",
	act: async (trial) => {
		const { target, load } = trial;
		const others = await startOthers(trial, ROLLED);
		// Another delivering process may not have had its operator's responses recorded.
		trial.lostWindows++;
		const before = load.ledger.failedTries;
		// As a cluster does it: all services at the same time, of each one process after the other.
		const restarts = [...others].map(async ([name, second]) => {
			await target.restart(name);
			await second.restart();
		});
		await Promise.all(restarts);
		const failed = load.ledger.failedTries - before;
		await stopAll(others);
		return failed === 0
			? []
			: [`${failed} requests failed: ${load.ledger.failures.join("; ")}`];
	},
};

/** 16 */
export const processesFrozen: Fault = {
	number: 16,
	name: "processes stopped for 20 s and continued, beside another of each",
	overAllRoutes: true,
	act: async (trial) => {
		const { target } = trial;
		const groups = groupsFor(trial);
		const others = await startOthers(trial, groups.flat());
		for (const names of groups) {
			// What they were sending when they stood still may stay without a response.
			if (names.includes("messaging-delivery"))
				trial.lostWindows += trial.routes;
			if (names.includes("whatsapp")) trial.lostWindows++;
			for (const name of names) await target.kill(name, "SIGSTOP");
			await delay(FROZEN_MS);
			for (const name of names) await target.kill(name, "SIGCONT");
		}
		trial.note = groups.map((names) => names.join(" and ")).join(", ");
		await stopAll(others);
		return undefined;
	},
};

/** What stands still at a time: in the long form each alone, in the short the one that delivers and two more. */
function groupsFor({ isLong, random, seed }: Trial): (readonly Name[])[] {
	if (isLong) return random.shuffled(ROLLED).map((name) => [name]);
	return [frozenTogether(ROLLED, "messaging-delivery", seed)];
}

async function startOthers({ target }: Trial, names: readonly Name[]) {
	const started = names.map(
		async (name) => [name, await startSecond(target, name)] as const,
	);
	return new Map(await Promise.all(started));
}

async function stopAll(
	others: ReadonlyMap<Name, SecondProcess>,
): Promise<void> {
	await Promise.all([...others.values()].map((second) => second.stop()));
}
