import { transaction } from "@airtower/platform/database/database";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { testDatabase } from "@airtower/platform/testing/database";
import { expect, test } from "vitest";
import { lowestCounted } from "../src/domain/report-counts.ts";
import { deleteExpired } from "../src/jobs/delete-expired.ts";
import { migrations } from "../src/migrations.ts";
import { insertDailyReport } from "../src/store/daily-reports.ts";
import { insertMarks } from "../src/store/report-counts.ts";

const DAY_MS = 86_400_000;

test("marks of reports go once nothing of their time is counted any more", async () => {
	const { sql, drop } = await testDatabase(migrations);
	try {
		const now = new Date();
		const markOf = (days: number) => uuidv7(now.getTime() - days * DAY_MS);
		const [gone, kept] = [markOf(123), markOf(121)];
		expect(kept < lowestCounted(now)).toBe(true);
		await transaction(sql, (sql) => insertMarks(sql, [gone, kept]));
		expect(await deleteExpired({ sql, clock: () => now })).toBe(1);
		expect([...(await sql`select id from report_marks`)]).toEqual([
			{ id: kept },
		]);
	} finally {
		await drop();
	}
});

test("it is forgotten which reports were published once nobody is told of their days any more", async () => {
	const { sql, drop } = await testDatabase(migrations);
	try {
		const now = new Date("2026-03-20T00:00:00Z");
		const organizationId = uuidv7();
		for (const day of ["2026-03-10", "2026-03-11"])
			await transaction(sql, (sql) =>
				insertDailyReport(sql, { organizationId, day }),
			);
		expect(await deleteExpired({ sql, clock: () => now })).toBe(1);
		expect([...(await sql`select day::text from daily_reports`)]).toEqual([
			{ day: "2026-03-11" },
		]);
	} finally {
		await drop();
	}
});
