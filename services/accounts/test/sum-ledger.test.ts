import { afterAll, beforeAll, expect, test } from "vitest";
import { sumLedger } from "../src/jobs/sum-ledger.ts";
import { startTestAccounts, type TestAccounts } from "./support/accounts.ts";
import { organizationWith, reservationsOf } from "./support/organizations.ts";

/** More than one round takes. */
const ORGANIZATIONS = 60;

let service: TestAccounts;

beforeAll(async () => {
	service = await startTestAccounts();
});
afterAll(() => service.close());

test("while many organizations send, the sums of none stay behind", async () => {
	const ids: string[] = [];
	while (ids.length < ORGANIZATIONS)
		ids.push(await organizationWith(service, 100));
	const sendAll = () =>
		service.accounts.reserveQuota({
			reservations: ids.flatMap((id) => reservationsOf(id, 1)),
		});
	for (let round = 0; round < 4; round++) {
		await sendAll();
		await sumLedger(service.ctx);
	}
	const behind = await service.observer`
		select organization_id
		from balances
		where organization_id not in (
			select organization_id
			from ledger_marks
		)
	`;
	expect([...behind]).toEqual([]);
});
