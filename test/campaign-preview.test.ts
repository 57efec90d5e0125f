import { expect, onTestFinished, test } from "vitest";
import { startCampaignWorld } from "./support/campaign-previews.ts";
import { compareCampaigns, EVERYTHING } from "./support/compare-campaigns.ts";

const CAMPAIGNS = 200;
const SEED = 33;
const TIMEOUT_MS = 1_800_000;

test(
	"200 campaigns become what their previews said: who is skipped and why, accepted, status, quota to the unit, cost to the millionth, delayed by quiet hours",
	async () => {
		const world = await startCampaignWorld();
		onTestFinished(() => world.close());
		const seen = await compareCampaigns(world, CAMPAIGNS, SEED);
		expect([...seen.keys()].toSorted()).toEqual(EVERYTHING);
		expect(seen.get("sending ")).toBeGreaterThan(20);
	},
	TIMEOUT_MS,
);
