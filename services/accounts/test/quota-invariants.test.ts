import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAccounts, type TestAccounts } from "./support/accounts.ts";
import { expectSoundLedgers } from "./support/ledger.ts";
import {
	balanceOf,
	organizationWith,
	reservationsOf,
} from "./support/organizations.ts";
import { act, QuotaSchedule } from "./support/quota-schedule.ts";

let service: TestAccounts;

beforeAll(async () => {
	service = await startTestAccounts();
});

afterAll(() => service.close());

const waves = fc.array(fc.array(act, { minLength: 1, maxLength: 8 }), {
	minLength: 1,
	maxLength: 8,
});

test("under any schedule of parallel acts, repeats and lost connections the ledger is exact", async () => {
	await fc.assert(
		fc.asyncProperty(waves, async (schedule) => {
			const quota = await QuotaSchedule.start(service);
			for (const wave of schedule) {
				await Promise.all(wave.map((act) => quota.perform(act)));
				await expectSoundLedgers(service.observer);
			}
			await quota.expectExactBalances();
			await expectSoundLedgers(service.observer);
		}),
		{ numRuns: 20, endOnFailure: true },
	);
});

test("a storm of batches on too little quota grants exactly what there was", async () => {
	const organizationIds = await Promise.all(
		[700, 50, 3_000].map((units) => organizationWith(service, units)),
	);
	const batches = Array.from({ length: 30 }, (_, index) =>
		(index % 2 === 0
			? organizationIds
			: [...organizationIds].reverse()
		).flatMap((id) => reservationsOf(id, 40)),
	);
	const responses = await Promise.all(
		batches.map((reservations) =>
			service.accounts.reserveQuota({ reservations }),
		),
	);
	const granted = responses
		.flatMap((response) => response.results)
		.filter(({ result }) => result.case === "granted");
	expect(granted).toHaveLength(700 + 50 + 1_200);
	expect(
		await Promise.all(organizationIds.map((id) => balanceOf(service, id))),
	).toEqual([0, 0, 1_800]);
	await expectSoundLedgers(service.observer);
});
