import { setTimeout as delay } from "node:timers/promises";
import { callApi } from "../../demo/public-api.ts";
import type { Section } from "../bench-context.ts";
import { storeContacts } from "../store-rows.ts";

const RECIPIENTS = 30_000;
const TIMEOUT_MS = 60_000;
const POLL_MS = 50;
const TAG = "wave";

interface Campaigns {
	readonly campaigns: readonly {
		readonly stats: { readonly accepted: number };
	}[];
}

export const campaignSection: Section = {
	title: "campaign fan-out: recipients staged and accepted per second",
	measure: async ({ bench: { system, organizationId, target } }) => {
		await storeContacts(system, organizationId, TAG, RECIPIENTS);
		const startedAt = performance.now();
		await callApi(target, "POST", "/campaigns", {
			name: "Fan-out",
			message_template: "Hello {{name|there}}, this goes to everybody.",
			audience_tags: [TAG],
		});
		for (let accepted = 0; accepted < RECIPIENTS; await delay(POLL_MS)) {
			const { body } = await callApi<Campaigns>(
				target,
				"GET",
				"/campaigns?limit=1",
			);
			accepted = body.campaigns[0]?.stats.accepted ?? 0;
			if (performance.now() - startedAt > TIMEOUT_MS)
				throw new Error(
					`of ${RECIPIENTS} recipients ${accepted} were accepted.`,
				);
		}
		const tookS = (performance.now() - startedAt) / 1_000;
		return [
			{
				...{ name: "campaign recipients accepted", value: RECIPIENTS / tookS },
				...{ unit: "/s", floor: 5_000, aim: 15_000 },
			},
		];
	},
};
