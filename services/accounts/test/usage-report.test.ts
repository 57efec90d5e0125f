import { randomUUID } from "node:crypto";
import { eventually } from "@airtower/platform/testing/eventually";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rollUpLedger } from "../src/jobs/roll-up-ledger.ts";
import { sumLedger } from "../src/jobs/sum-ledger.ts";
import { addToSums, lockMark } from "../src/store/ledger-sums.ts";
import { startTestAccounts, type TestAccounts } from "./support/accounts.ts";
import { organizationWith, reservationsOf } from "./support/organizations.ts";
import { act, QuotaSchedule } from "./support/quota-schedule.ts";

let service: TestAccounts;

beforeAll(async () => {
	service = await startTestAccounts();
});
afterAll(() => service.close());

const EVER = { dateFrom: at("0001-01-01"), dateTo: at("9999-12-31") };

function at(time: string) {
	return timestampFromDate(new Date(time));
}

async function reportOf(organizationId: string, byCampaign = true) {
	const asked = { organizationId, ...EVER, byCampaign };
	const { sums } = await service.account.getUsageReport(asked);
	return sums.map(({ $typeName: _, ...sum }) => sum);
}

/** The same, counted anew from the ledger. */
async function recountOf(organizationId: string) {
	const rows = await service.observer<
		{ day: string; units: string; entries: string }[]
	>`
		select
			(created_at at time zone 'UTC')::date::text as day,
			kind,
			coalesce(channel, 'sms') as channel,
			coalesce(campaign_id::text, '') as "campaignId",
			sum(units)::text as units,
			count(*)::text as entries
		from ledger_entries
		where organization_id = ${organizationId}
		group by 1, 2, 3, 4
		order by 1 desc, 2, 3, 4
	`;
	return rows.map(({ units, entries, ...row }) => ({
		...row,
		units: BigInt(units),
		entries: BigInt(entries),
	}));
}

async function use(organizationId: string, count: number, campaignId = "") {
	const reservations = reservationsOf(organizationId, count).map((one) => ({
		...one,
		campaignId,
	}));
	await service.accounts.reserveQuota({ reservations });
	return reservations;
}

/** Moves what an organization's ledger holds of later days to the noon of a day. */
async function moveTo(organizationId: string, day: string): Promise<void> {
	await service.observer`
		with later as (
			select id, created_at - min(created_at) over () as since
			from ledger_entries
			where organization_id = ${organizationId}
			and created_at > ${`${day}T23:59:59Z`}
		)
		update ledger_entries
		set created_at = ${`${day}T12:00:00Z`}::timestamptz + since
		from later
		where organization_id = ${organizationId}
		and ledger_entries.id = later.id
	`;
}

test("a report has a sum for each day and kind, and for each campaign where they are asked for", async () => {
	const organizationId = await organizationWith(service, 100);
	const campaignId = randomUUID();
	await use(organizationId, 5);
	await moveTo(organizationId, "2026-02-01");
	const [first] = await use(organizationId, 7, campaignId);
	const { messageId = "" } = first ?? {};
	await service.accounts.releaseQuota({
		releases: [{ organizationId, messageId, note: "never stored" }],
	});
	await use(organizationId, 2);
	await moveTo(organizationId, "2026-02-03");
	const apart = await reportOf(organizationId);
	expect(apart).toEqual(await recountOf(organizationId));
	expect(
		apart.map(({ day, kind, campaignId, units, entries }) => [
			day,
			kind,
			campaignId,
			units,
			entries,
		]),
	).toEqual([
		["2026-02-03", "release", campaignId, 1n, 1n],
		["2026-02-03", "usage", "", -2n, 2n],
		["2026-02-03", "usage", campaignId, -7n, 7n],
		["2026-02-01", "grant", "", 100n, 1n],
		["2026-02-01", "usage", "", -5n, 5n],
	]);
	const together = await reportOf(organizationId, false);
	expect(together.map(({ kind, units }) => [kind, units])).toEqual([
		["release", 1n],
		["usage", -9n],
		["grant", 100n],
		["usage", -5n],
	]);
});

test("days are those of UTC, the first inclusive, the end exclusive", async () => {
	const organizationId = await organizationWith(service, 10);
	await use(organizationId, 1);
	await service.observer`
		update ledger_entries
		set created_at = case kind when 'grant' then timestamptz '2026-01-31T23:59:59.999Z' else '2026-02-01T00:00:00Z' end
		where organization_id = ${organizationId}
	`;
	const daysOf = async (from: string, to: string) => {
		const asked = { organizationId, dateFrom: at(from), dateTo: at(to) };
		const { sums } = await service.account.getUsageReport(asked);
		return sums.map(({ day, kind }) => `${day} ${kind}`);
	};
	expect(await daysOf("2026-01-31", "2026-02-01")).toEqual([
		"2026-01-31 grant",
	]);
	expect(await daysOf("2026-02-01", "2026-02-02")).toEqual([
		"2026-02-01 usage",
	]);
	expect(
		await daysOf("2026-01-31T23:00:00Z", "2026-02-02T23:00:00Z"),
	).toHaveLength(2);
	expect(await daysOf("2026-02-02", "2026-01-31")).toEqual([]);
});

const waves = fc.array(fc.array(act, { minLength: 1, maxLength: 8 }), {
	minLength: 1,
	maxLength: 6,
});

test("under any schedule of acts, with processes that sum at any moment, a report equals a recount", async () => {
	await fc.assert(
		fc.asyncProperty(waves, async (schedule) => {
			const quota = await QuotaSchedule.start(service);
			for (const wave of schedule)
				await Promise.all([
					...wave.map((one) => quota.perform(one)),
					// Lost connections are part of the schedule: the job's next round sums what this one could not.
					...[1, 2].map(() => sumLedger(service.ctx).catch(() => 0)),
				]);
			const expectExact = async (id: string) =>
				expect(await eventually(() => reportOf(id))).toEqual(
					await recountOf(id),
				);
			for (const id of quota.organizationIds) await expectExact(id);
			await eventually(() => sumLedger(service.ctx));
			for (const id of quota.organizationIds) await expectExact(id);
		}),
		{ numRuns: 15, endOnFailure: true },
	);
});

test("several processes that sum page by page while messages are paid for count each entry once", async () => {
	const { sql } = service.ctx;
	const organizationId = await organizationWith(service, 10_000);
	const addPages = async () => {
		let added: number;
		do {
			added = await sql.begin(async (sql) =>
				addToSums(sql, organizationId, await lockMark(sql, organizationId), 10),
			);
		} while (added > 0);
	};
	for (let round = 0; round < 10; round++)
		await Promise.all([
			...Array.from({ length: 4 }, () => use(organizationId, 7)),
			addPages(),
			addPages(),
		]);
	await addPages();
	const counted = await service.observer`
		select kind, units, entries
		from ledger_sums
		where organization_id = ${organizationId}
		order by kind
	`;
	expect([...counted]).toEqual([
		{ kind: "grant", units: 10_000, entries: 1 },
		{ kind: "usage", units: -280, entries: 280 },
	]);
});

test("a report of days that became a line each has the sums that it had before", async () => {
	const organizationId = await organizationWith(service, 100);
	const campaignId = randomUUID();
	const used = await use(organizationId, 30, campaignId);
	await service.accounts.releaseQuota({
		releases: used
			.slice(0, 4)
			.map(({ messageId }) => ({ organizationId, messageId, note: "" })),
	});
	await moveTo(organizationId, "2024-02-01");
	const before = await reportOf(organizationId);
	expect(await rollUpLedger(service.ctx)).toBe(0);
	await sumLedger(service.ctx);
	// The balance is dated by its last entry.
	await use(organizationId, 1);
	await sumLedger(service.ctx);
	while ((await rollUpLedger(service.ctx)) > 0);
	const [{ lines }] = await service.observer<[{ lines: number }]>`
		select count(*)::integer as lines
		from ledger_entries
		where organization_id = ${organizationId}
	`;
	expect(lines).toBe(3);
	expect((await reportOf(organizationId)).slice(1)).toEqual(before);
});

test("a report of more than 10,000 rows is refused, and names what to change", async () => {
	const organizationId = await organizationWith(service);
	await service.observer`
		insert into ledger_sums (organization_id, day, kind, channel, campaign_id, units, entries)
		select ${organizationId}, date '2026-01-01' + nth % 30, 'usage', 'sms', gen_random_uuid(), -1, 1
		from generate_series(1, 10001) as nth
	`;
	await expect(reportOf(organizationId)).rejects.toMatchObject({
		code: Code.InvalidArgument,
	});
	expect(await reportOf(organizationId, false)).toHaveLength(30);
});

test.each(["dateFrom", "dateTo"] as const)(
	"a report without %s is invalid",
	async (field) => {
		const organizationId = await organizationWith(service);
		const { [field]: _, ...rest } = EVER;
		const asked = { organizationId, ...rest };
		await expect(service.account.getUsageReport(asked)).rejects.toMatchObject({
			code: Code.InvalidArgument,
		});
	},
);

test("a caller without a valid token, or of another organization, is refused", async () => {
	const organizationId = await organizationWith(service);
	const asked = { organizationId, ...EVER };
	await expect(
		service.strangerAccount.getUsageReport(asked),
	).rejects.toMatchObject({ code: Code.Unauthenticated });
	await expect(
		service.accountOf(randomUUID()).getUsageReport(asked),
	).rejects.toMatchObject({ code: Code.PermissionDenied });
});
