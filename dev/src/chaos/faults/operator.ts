import { setTimeout as delay } from "node:timers/promises";
import type { Fault, Trial } from "../trial.ts";

const HOLD_MS = { short: 2_500, long: 15_000 };
const DROPS = 3;
const SLOW_MS = 300;
const SLOW_RATE = 20;

/** 13 */
export const operatorTrouble: Fault = {
	number: 13,
	name: "operator slow, throttling, dead, responding and losing the connection",
	act: async (trial) => {
		const { target } = trial;
		const holdMs = HOLD_MS[trial.isLong ? "long" : "short"];
		const held = async (settings: Record<string, number>) => {
			await target.operator("PATCH", "/settings", settings);
			await delay(holdMs);
		};
		await held({ answerDelayMs: SLOW_MS });
		await held({ answerDelayMs: 0, submitsPerSecond: SLOW_RATE });
		await target.operator("PATCH", "/settings", { submitsPerSecond: 0 });
		await loseResponses(trial);
		await dieOnce(trial, holdMs);
		return undefined;
	},
};

/** What was taken in silence has no response; its receipt comes on the next connection. */
async function loseResponses(trial: Trial): Promise<void> {
	const { target, random } = trial;
	for (let drops = 0; drops < DROPS; drops++) {
		trial.crashes++;
		await target.operator("POST", "/silence");
		await delay(random.between(20, 200));
		await target.operator("POST", "/drop");
		await target.operator("POST", "/resume");
		await delay(1_500);
	}
}

async function dieOnce(trial: Trial, holdMs: number): Promise<void> {
	const { target } = trial;
	trial.crashes++;
	await target.kill("smsc", "SIGSTOP");
	await delay(holdMs);
	await target.kill("smsc", "SIGCONT");
	trial.crashes++;
	await target.kill("smsc", "SIGKILL");
	await delay(holdMs);
	await target.restart("smsc");
}
