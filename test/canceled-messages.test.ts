import { afterAll, beforeAll, expect, test } from "vitest";
import { expectRaceEnded, raceCancels } from "./support/cancel-race.ts";
import { openLedgers } from "./support/invariants.ts";
import { adminClients, createOrganization } from "./support/organization.ts";
import { type SharedSystem, sharedSystem } from "./support/shared-system.ts";
import { submitsByText } from "./support/smsc.ts";

const COUNT = 1_000;
const QUOTA = 10_000;

let system: SharedSystem;
let ledgers: ReturnType<typeof openLedgers>;

beforeAll(async () => {
	system = await sharedSystem();
	ledgers = openLedgers(system);
});

afterAll(() => ledgers.close());

test("1,000 scheduled messages are canceled while they become due: each is sent once, or given back once and never sent", async () => {
	const admin = adminClients(system);
	const organization = await createOrganization(admin, QUOTA);
	const race = await raceCancels(system.baseUrl, organization, COUNT);
	const { canceled, kept } = race;
	expect(canceled.length + kept.length).toBe(COUNT);
	const payer = { id: organization.id, quota: QUOTA };
	await expectRaceEnded(ledgers, payer, race, 90_000);
	const submits = await submitsByText(system);
	expect(canceled.filter((text) => submits.has(text))).toEqual([]);
	expect(kept.filter((text) => submits.get(text) !== 1)).toEqual([]);
});
