import { setTimeout as delay } from "node:timers/promises";
import { callApi } from "../../demo/public-api.ts";
import type { Bench } from "../bench.ts";
import type { Figure } from "../figures.ts";
import { storeContacts } from "../store-rows.ts";

const RECIPIENTS = 30_000;
const TIMEOUT_MS = 60_000;
const POLL_MS = 50;
const TAG = "wave";

type Page = { campaigns: { stats: { accepted: number } }[] };

export async function measureCampaign(bench: Bench): Promise<Figure[]> {
	const { target } = bench;
	await storeContacts(bench, TAG, RECIPIENTS);
	const startedAt = performance.now();
	await callApi(target, "POST", "/campaigns", {
		name: "Fan-out",
		message_template: "Hello {{name|there}}, this goes to everybody.",
		audience_tags: [TAG],
	});
	for (let accepted = 0; accepted < RECIPIENTS; await delay(POLL_MS)) {
		const path = "/campaigns?limit=1";
		const { body } = await callApi<Page>(target, "GET", path);
		accepted = body.campaigns[0]?.stats.accepted ?? 0;
		if (performance.now() - startedAt > TIMEOUT_MS)
			throw new Error(`of ${RECIPIENTS} recipients ${accepted} were accepted.`);
	}
	const value = RECIPIENTS / ((performance.now() - startedAt) / 1_000);
	const name = "campaign recipients accepted";
	return [{ name, value, unit: "/s", floor: 5_000, aim: 15_000 }];
}
