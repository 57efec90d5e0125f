import { setTimeout as delay } from "node:timers/promises";
import type { Trial } from "../trial.ts";
import { oneEventPerOutcome } from "./callbacks.ts";
import type { Invariant } from "./invariant.ts";
import { nobodySeesOthers } from "./isolation.ts";
import { operatorHasAll, repeatsAreMarked } from "./operator.ts";
import { neverBackwards, nothingIsStuck } from "./progress.ts";
import { quotaIsExact } from "./quota.ts";
import { reportsAreExact } from "./reports.ts";
import { resourcesComeBack } from "./resources.ts";
import { acceptedIsStored, oneKeyOneEffect } from "./responses.ts";

/** What waits comes first: the others judge a system that is quiet. */
const INVARIANTS: readonly Invariant[] = [
	acceptedIsStored,
	oneKeyOneEffect,
	nothingIsStuck,
	oneEventPerOutcome,
	operatorHasAll,
	quotaIsExact,
	reportsAreExact,
	resourcesComeBack,
	repeatsAreMarked,
	neverBackwards,
	nobodySeesOthers,
];

/** Longest until the system is quiet again, ms: a callback that failed twice is due after 4 to 6 minutes. */
const QUIET_MS = 450_000;
const POLL_MS = 300;

/** Returns what is broken, each sentence with its invariant. */
export async function checkInvariants(trial: Trial): Promise<string[]> {
	const deadline = Date.now() + QUIET_MS;
	const broken: string[] = [];
	for (const invariant of INVARIANTS) {
		const found = await check(trial, invariant, deadline);
		broken.push(...found.map((sentence) => `${invariant.name}: ${sentence}`));
	}
	return broken;
}

async function check(
	trial: Trial,
	{ check, waits }: Invariant,
	deadline: number,
): Promise<string[]> {
	for (;;) {
		const broken = await check(trial);
		if (broken.length === 0 || waits !== true || Date.now() > deadline)
			return broken;
		await delay(POLL_MS);
	}
}
