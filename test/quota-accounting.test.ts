import { eventually } from "@airtower/platform/testing/eventually";
import { afterAll, beforeAll, expect, test } from "vitest";
import { apiClient } from "./support/api.ts";
import { openLedgers } from "./support/invariants.ts";
import {
	type AdminClients,
	adminClients,
	createOrganization,
	type TestOrganization,
} from "./support/organization.ts";
import { type SharedSystem, sharedSystem } from "./support/shared-system.ts";
import { submitsByText } from "./support/smsc.ts";

const SENDS = 4_000;
const CONNECTIONS = 64;
const RICH_QUOTA = 3_000;
const SHORT_QUOTA = 700;

let system: SharedSystem;
let admin: AdminClients;
let ledgers: ReturnType<typeof openLedgers>;

beforeAll(async () => {
	system = await sharedSystem();
	admin = adminClients(system);
	ledgers = openLedgers(system);
});

afterAll(() => ledgers.close());

interface Tally {
	readonly bodies: string[];
	refused: number;
}

/** Sends one after the other on one connection and watches the balance that each response names. */
async function sendOnOneConnection(
	organization: TestOrganization,
	texts: readonly string[],
	tally: Tally,
): Promise<void> {
	const client = apiClient(system.baseUrl, organization.apiKey);
	let last = organization.quota;
	for (const text of texts) {
		const response = await client.post("/sms/send", {
			to: "+33612349999",
			message: text,
		});
		if (response.status === 202) {
			const remaining = response.body.remainingQuota as number;
			expect(remaining).toBeGreaterThanOrEqual(0);
			expect(remaining).toBeLessThan(last);
			last = remaining;
			tally.bodies.push(text);
		} else {
			expect(response.status).toBe(403);
			expect(response.body).toMatchObject({
				success: false,
				error: { code: "quota_exhausted" },
			});
			tally.refused++;
		}
	}
	await client.close();
}

test("4,000 sends at concurrency 64 over two organizations: accepted = debited = submitted = delivered", async () => {
	const organizations = [
		await createOrganization(admin, RICH_QUOTA),
		await createOrganization(admin, SHORT_QUOTA),
	] as const;
	const tallies: Tally[] = organizations.map(() => ({
		bodies: [],
		refused: 0,
	}));
	const perConnection = SENDS / CONNECTIONS;
	await Promise.all(
		Array.from({ length: CONNECTIONS }, (_, connection) => {
			const which = connection % 2;
			const organization = organizations[which];
			const tally = tallies[which];
			if (organization === undefined || tally === undefined) return undefined;
			const texts = Array.from(
				{
					length:
						Math.floor(perConnection) +
						(connection < SENDS % CONNECTIONS ? 1 : 0),
				},
				(_, index) => `send ${connection} ${index}`,
			);
			return sendOnOneConnection(organization, texts, tally);
		}),
	);

	const [rich, short] = tallies;
	expect(
		(rich?.bodies.length ?? 0) +
			(rich?.refused ?? 0) +
			(short?.bodies.length ?? 0) +
			(short?.refused ?? 0),
	).toBe(SENDS);
	expect(rich?.refused).toBe(0);
	expect(short?.bodies.length).toBe(SHORT_QUOTA);

	for (const [index, organization] of organizations.entries()) {
		const accepted = tallies[index]?.bodies.length ?? 0;
		expect(await ledgers.accounting(organization.id)).toEqual({
			balance: organization.quota - accepted,
			ledger: organization.quota - accepted,
			messages: accepted,
		});
		await eventually(
			async () =>
				expect(await ledgers.statuses(organization.id)).toEqual({
					delivered: accepted,
				}),
			{ everyMs: 500 },
		);
	}
	const submits = await submitsByText(system);
	const expected = tallies.flatMap((tally) => tally.bodies);
	const ours = [...submits.keys()].filter((text) => text.startsWith("send "));
	expect(ours).toHaveLength(expected.length);
	expect(expected.every((text) => submits.get(text) === 1)).toBe(true);
});
