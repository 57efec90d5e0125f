import { setTimeout as delay } from "node:timers/promises";
import type { Fault } from "../trial.ts";

/** Requests and events go on for so long between two kills, ms. */
const PAUSE_MS = 800;

/** 1 */
export const gatewayKilled: Fault = {
	number: 1,
	name: "gateway killed under load",
	act: async ({ target, random }) => {
		for (let kills = 0; kills < 3; kills++) {
			await delay(random.between(100, PAUSE_MS));
			await target.kill("gateway", "SIGKILL");
			await target.restart("gateway");
		}
		return undefined;
	},
};

/** 2 */
export const messagingKilled: Fault = {
	number: 2,
	name: "messaging killed before its commit, and between it and the response",
	act: async ({ target, random }) => {
		for (const point of [
			...(["messaging.before_commit", "messaging.after_commit"] as const),
		])
			await target.dieAt("messaging", point, random.between(3, 30));
		return undefined;
	},
};

/** 3 */
export const relayKilled: Fault = {
	number: 3,
	name: "relay killed after the broker's acknowledgement, before the delete",
	act: async (trial) => {
		const { target, random } = trial;
		const [point, pass] = [
			"relay.after_publish",
			random.between(2, 8),
		] as const;
		trial.lostWindows++;
		await target.dieAt("messaging-delivery", point, pass);
		trial.lostWindows++;
		await target.dieAt("whatsapp", point, 1);
		return undefined;
	},
};

/** 4 */
export const dispatcherKilled: Fault = {
	number: 4,
	name: "dispatcher killed after a claim, and between a submit and its settle",
	overAllRoutes: true,
	act: async (trial) => {
		const { target, random } = trial;
		const points = ["messaging.after_claim", "messaging.after_submit"] as const;
		for (const point of points) {
			// Its restart is one that waits for responses, its end one that does not.
			trial.lostWindows += trial.routes;
			const pass = random.between(3, 40);
			await target.dieAt("messaging-delivery", point, pass);
		}
		return undefined;
	},
};

/** 5 */
export const consumerKilled: Fault = {
	number: 5,
	name: "consumers killed after the database's commit, before the offset's",
	act: async ({ target, load, random }) => {
		const point = "consumer.after_commit";
		await target.dieAt("webhooks", point, random.between(2, 12));
		await target.dieAt("campaigns", point, 1, load.sendCampaign);
		return undefined;
	},
};

/** 6 */
export const senderKilled: Fault = {
	number: 6,
	name: "webhook sender killed in mid-POST",
	act: async ({ target, random }) => {
		const pass = () => random.between(5, 150);
		await target.dieAt("webhooks", "webhooks.mid_post", pass());
		await target.dieAt("webhooks", "webhooks.mid_post", pass());
		return undefined;
	},
};

/** 7 */
export const accountsKilled: Fault = {
	number: 7,
	name: "accounts killed between a reservation and the message's commit",
	act: async ({ target, random }) => {
		const pass = () => random.between(3, 30);
		await target.dieAt("accounts", "accounts.after_reserve_commit", pass());
		await target.dieAt("accounts", "accounts.after_reserve_commit", pass());
		return undefined;
	},
};
