import { setTimeout as delay } from "node:timers/promises";
import { callApi, type PublicApi } from "../../demo/public-api.ts";
import type { Bench } from "../bench.ts";
import type { Figure } from "../figures.ts";
import { storeContacts } from "../store-rows.ts";

const RECIPIENTS = 30_000;
const TIMEOUT_MS = 180_000;
const POLL_MS = 50;
const TAG = "wave";

type Page = { campaigns: { stats: { accepted: number } }[] };

export async function measureCampaign(bench: Bench): Promise<Figure[]> {
	const { target, organizationId } = bench;
	await storeContacts(bench, organizationId, TAG, RECIPIENTS);
	const startedAt = performance.now();
	await startCampaign(target, TAG);
	await untilAccepted(target, RECIPIENTS);
	const value = RECIPIENTS / ((performance.now() - startedAt) / 1_000);
	const name = "campaign recipients accepted";
	return [{ name, value, unit: "/s", floor: 5_000, aim: 15_000 }];
}

/** To all contacts with the tag. */
export async function startCampaign(
	target: PublicApi,
	tag: string,
): Promise<void> {
	await callApi(target, "POST", "/campaigns", {
		name: "Fan-out",
		message_template: "Hello {{name|there}}, this goes to everybody.",
		audience_tags: [tag],
	});
}

/** Resolves when so many messages of the newest campaign are accepted. */
export async function untilAccepted(
	target: PublicApi,
	recipients: number,
): Promise<void> {
	const startedAt = performance.now();
	for (let accepted = 0; accepted < recipients; await delay(POLL_MS)) {
		const path = "/campaigns?limit=1";
		const { body } = await callApi<Page>(target, "GET", path);
		accepted = body.campaigns[0]?.stats.accepted ?? 0;
		if (performance.now() - startedAt > TIMEOUT_MS)
			throw new Error(`of ${recipients} recipients ${accepted} were accepted.`);
	}
}
