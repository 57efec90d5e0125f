import { transaction } from "@airtower/platform/database/database";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertOptOuts } from "../services/messaging/src/store/opt-outs/opt-outs.ts";
import { insertSender } from "../services/messaging/test/support/messaging.ts";
import {
	findOutcomes,
	findSums,
	foretold,
	foretoldSums,
} from "./support/campaign-outcomes.ts";
import {
	type CampaignWorld,
	insertContacts,
	previewAndCreate,
	runToStandstill,
	startCampaignWorld,
	topUp,
} from "./support/campaign-previews.ts";
import { compareCampaigns, EVERYTHING } from "./support/compare-campaigns.ts";

const CAMPAIGNS = 2_000;
const SEED = 2_000;
/** More than a step of the snapshot reads, and many calls of messaging. */
const CONTACTS = 6_000;
const LABEL = "to many contacts";
const OPTED_OUT = 700;
const QUOTA = 4_000;
/** Turns that change nothing, until the campaign counts as resting. */
const PATIENCE = 3;
const TIMEOUT_MS = 3_600_000;

let world: CampaignWorld;

beforeAll(async () => {
	world = await startCampaignWorld();
});
afterAll(() => world.close());

test(
	"2,000 campaigns become what their previews said",
	async () => {
		const seen = await compareCampaigns(world, CAMPAIGNS, SEED);
		expect([...seen.keys()].toSorted()).toEqual(EVERYTHING);
	},
	TIMEOUT_MS,
);

test(
	"a campaign to 6,000 contacts that runs out of quota becomes what its preview said",
	async () => {
		const organizationId = uuidv7();
		await makeOrganization(organizationId);
		const { forecast } = await previewAndCreate(
			world,
			{
				organizationId,
				name: "Sale",
				messageTemplate: "Hello {{name}}, 20 % off until Sunday",
				audienceTags: ["all"],
				audienceTagMatchMode: "all",
			},
			LABEL,
		);
		if (forecast === undefined) throw new Error("The campaign was refused.");
		const ids = [organizationId];
		await runToStandstill(world, ids, PATIENCE);
		const outcome = (await findOutcomes(world, ids)).get(organizationId);
		expect(outcome).toMatchObject({ audience: CONTACTS, accepted: QUOTA });
		expect(foretold(forecast, QUOTA, LABEL)).toEqual(outcome);
		await topUp(world, ids);
		await runToStandstill(world, ids, PATIENCE);
		const sums = (await findSums(world, ids)).get(organizationId);
		expect(sums?.skipped).toEqual({ recipient_opted_out: OPTED_OUT });
		const { skipped, segments } = foretoldSums(forecast);
		expect({ skipped, segments }).toEqual({
			skipped: sums?.skipped,
			segments: sums?.segments,
		});
	},
	TIMEOUT_MS,
);

/** Its contacts have names of 1 to 199 letters; some do not want its messages. */
async function makeOrganization(organizationId: string): Promise<void> {
	const { service } = world;
	await insertSender(service.sql, organizationId, {
		value: "Airtower",
		isDefault: true,
	});
	service.ledger.balances.set(organizationId, QUOTA);
	const contacts = Array.from({ length: CONTACTS }, (_, nth) => ({
		organizationId,
		phone: `+3361${2_000_000 + nth}`,
		name: "é".repeat((nth % 199) + 1),
		tags: ["all"],
	}));
	await insertContacts(world, contacts);
	const every = Math.floor(CONTACTS / OPTED_OUT);
	const listed = Array.from({ length: OPTED_OUT }, (_, nth) => ({
		id: uuidv7(),
		recipient: contacts[nth * every]?.phone ?? "",
		sender: "",
	}));
	await transaction(service.sql, (sql) =>
		insertOptOuts(sql, organizationId, "api", listed),
	);
}
