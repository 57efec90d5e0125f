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
	overAllRoutes: true,
	act: async (trial) => {
		const { target } = trial;
		const holdMs = HOLD_MS[trial.isLong ? "long" : "short"];
		const during = async (settings: Record<string, number>) => {
			await target.operator("PATCH", "/settings", settings);
			await delay(holdMs);
		};
		await during({ answerDelayMs: SLOW_MS });
		await during({ answerDelayMs: 0, submitsPerSecond: SLOW_RATE });
		await target.operator("PATCH", "/settings", { submitsPerSecond: 0 });
		await loseResponses(trial);
		await dieOnce(trial, holdMs);
		return undefined;
	},
};

/** Between two beginnings of the operator's count, ms: receipts come later than that. */
const SHORTEST_COUNT_MS = 100;
const LONGEST_COUNT_MS = 600;
const LATE_RECEIPTS_MS = 1_500;
const COUNTS = { short: 10, long: 60 };

/** 19: many open messages have one id, and some of them lose their responses. */
export const idsAnew: Fault = {
	number: 19,
	name: "operator that counts its ids anew while receipts are on their way",
	act: async (trial) => {
		const { target, random, isLong } = trial;
		const set = (settings: Record<string, number>) =>
			target.operator("PATCH", "/settings", settings);
		await set({ receiptDelayMs: LATE_RECEIPTS_MS });
		const counts = COUNTS[isLong ? "long" : "short"];
		for (let count = 0; count < counts; count++) {
			await target.operator("POST", "/count-anew");
			await delay(random.between(SHORTEST_COUNT_MS, LONGEST_COUNT_MS));
		}
		await loseResponses(trial, () => target.operator("POST", "/count-anew"));
		await set({ receiptDelayMs: 100 });
		trial.note = await countShared(trial);
		return undefined;
	},
};

async function countShared({ tenants, target: { sql } }: Trial) {
	const organizations = [tenants.a, tenants.b].map(
		(each) => each.organizationId,
	);
	const [shared] = await sql<[{ parts: number; ids: number }]>`
		select coalesce(sum(count), 0) as parts, count(*) as ids
		from (
			select count(*)
			from messaging.parts
			join messaging.messages on id = message_id
			where organization_id = any (${organizations})
			group by operator_key
			having count(*) > 1
		) as shared
	`;
	return `${shared.parts} parts had ${shared.ids} ids`;
}

/** What was taken in silence has no response; its receipt comes on the next connection. */
async function loseResponses(
	trial: Trial,
	before: () => Promise<unknown> = async () => {},
): Promise<void> {
	const { target, random } = trial;
	for (let drops = 0; drops < DROPS; drops++) {
		trial.lostWindows++;
		await before();
		await target.operator("POST", "/silence");
		await delay(random.between(20, 200));
		await target.operator("POST", "/drop");
		await target.operator("POST", "/resume");
		await delay(1_500);
	}
}

async function dieOnce(trial: Trial, holdMs: number): Promise<void> {
	const { target } = trial;
	trial.lostWindows++;
	await target.kill("smsc", "SIGSTOP");
	await delay(holdMs);
	await target.kill("smsc", "SIGCONT");
	trial.lostWindows++;
	await target.kill("smsc", "SIGKILL");
	await delay(holdMs);
	await target.restart("smsc");
}
