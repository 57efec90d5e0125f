import { setTimeout as delay } from "node:timers/promises";
import { prepareRelease } from "../../release/release-source.ts";
import { type SecondProcess, startSecond } from "../target/second-process.ts";
import type { Fault } from "../trial.ts";
import { type Name, ROLLED } from "./replicas.ts";

/** The last release works alone for so long between the two ways, ms. */
const ALONE_MS = { short: 3_000, long: 30_000 };

/** 18 */
export const releasesBeside: Fault = {
	number: 18,
	name: "processes of the last release beside those of HEAD, rolled back and forward: no request fails",
	needsRelease: true,
	act: async (trial) => {
		const { target, load, isLong } = trial;
		const folder = await prepareRelease();
		trial.hadOldRelease = true;
		const before = load.ledger.failedTries;
		const old = new Map<Name, SecondProcess>();
		// Back: on the schema of HEAD, callers before those that they call.
		for (const name of ROLLED.toReversed()) {
			old.set(name, await startSecond(target, name, folder));
			await target.kill(name, "SIGTERM");
		}
		await load.sendCampaign();
		await delay(ALONE_MS[isLong ? "long" : "short"]);
		for (const name of ROLLED) {
			await target.restart(name);
			await old.get(name)?.stop();
		}
		// The process that delivers was stopped in each way: its operator's responses may not have been recorded.
		trial.lostWindows += 2;
		const failed = load.ledger.failedTries - before;
		return failed === 0
			? undefined
			: [`${failed} requests failed: ${load.ledger.failures.join("; ")}`];
	},
};
