import { migrate } from "@airtower/platform/database/migration/migrate";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkDebits } from "../src/jobs/check-debits.ts";
import { reconcileReservations } from "../src/jobs/reconcile-reservations.ts";
import { migrations } from "../src/migrations.ts";
import { startTestAccounts, type TestAccounts } from "./support/accounts.ts";
import { organizationWith, reservationsOf } from "./support/organizations.ts";

let service: TestAccounts;

beforeAll(async () => {
	service = await startTestAccounts();
});
afterAll(() => service.close());

test("both scans go on where processes of 0.1.0 have left them", async () => {
	const { ctx, messages } = service;
	const organizationId = await organizationWith(service, 10);
	const ids: string[] = [];
	for (let nth = 0; nth < 4; nth++) {
		const reservations = reservationsOf(organizationId, 1);
		await service.accounts.reserveQuota({ reservations });
		ids.push(...reservations.map(({ messageId }) => messageId));
	}
	const [, second = "", third = "", fourth = ""] = ids;
	for (const id of ids) messages.stored.add(id);
	await ctx.sql`
		update reconciler_watermarks w
		set created_at = e.created_at, entry_id = e.id, checked_message_id = ${third}
		from ledger_entries e
		where e.message_id = ${second}
	`;
	await ctx.sql`delete from scan_positions`;
	await ctx.sql`delete from migrations where name = 'accounts/0007_scan_positions.sql'`;
	expect(await migrate(ctx.sql, migrations)).toEqual([
		"accounts/0007_scan_positions.sql",
	]);
	await eventually(async () => {
		await reconcileReservations(ctx);
		expect(messages.asked.flat()).toEqual([third, fourth]);
	});
	for (const id of ids) messages.listed.set(id, organizationId);
	expect(await checkDebits(ctx)).toBe(1);
});
