import { setTimeout as delay } from "node:timers/promises";
import type { Fault } from "../trial.ts";

const DOWN_MS = { short: 12_000, long: 180_000 };
const STOPPED_MS = { short: 10_000, long: 60_000 };

/** 10 */
export const brokerAway: Fault = {
	number: 10,
	name: "Kafka down, then stopped (SIGSTOP)",
	needsKafka: true,
	act: async (trial) => {
		const form = trial.isLong ? "long" : "short";
		const { target } = trial;
		await target.kill("kafka", "SIGKILL");
		await delay(DOWN_MS[form]);
		await target.restart("kafka");
		await target.kill("kafka", "SIGSTOP");
		await delay(STOPPED_MS[form]);
		await target.kill("kafka", "SIGCONT");
		trial.note = `${DOWN_MS[form] / 1_000} s down, ${STOPPED_MS[form] / 1_000} s stopped`;
		return undefined;
	},
};
