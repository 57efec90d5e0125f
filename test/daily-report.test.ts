import { eventually } from "@airtower/platform/testing/eventually";
import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { typedClient } from "./api/client.ts";
import { listen, randomNumber } from "./support/listen.ts";
import { adminClients, createOrganization } from "./support/organization.ts";
import { sharedSystem } from "./support/shared-system.ts";

const QUOTA = 10;
const MESSAGES = 3;
const DAY_MS = 86_400_000;
/** Longest waits on a busy machine: for receipts, and for the test, ms. */
const RECEIPTS = { timeoutMs: 120_000, everyMs: 500 };
const LONGEST_MS = 400_000;

test(
	"who subscribes to report.daily is told once of a day that is over, signed, what GET /reports/delivery says of it",
	async () => {
		const system = await sharedSystem();
		const { id, apiKey } = await createOrganization(
			adminClients(system),
			QUOTA,
		);
		const client = typedClient(system.baseUrl, apiKey);
		const hear = await listen(client, "report.daily");
		for (let nth = 0; nth < MESSAGES; nth++)
			await client.post("/sms/send", {
				to: `${randomNumber().slice(0, -4)}0100`,
				message: "Your code is 123456",
			});
		await eventually(async () => {
			const { sums } = await client.get("/reports/delivery");
			const delivered = sums.reduce((sum, line) => sum + line.delivered, 0);
			expect(delivered).toBe(MESSAGES);
		}, RECEIPTS);

		const dayMs = Date.now() - 2 * DAY_MS;
		const [date_from, date_to] = [toDay(dayMs), toDay(dayMs + DAY_MS)];
		await moveHours(system.adminDatabaseUrl, id, date_from);
		const told = await hear(1);
		const { sums } = await client.get("/reports/delivery", {
			date_from,
			date_to,
		});
		expect(sums).toMatchObject([
			{ value: date_from, channel: "sms", accepted: MESSAGES },
		]);
		expect(told).toEqual([{ day: date_from, sums }]);
	},
	LONGEST_MS,
);

function toDay(ms: number): string {
	return new Date(ms).toISOString().slice(0, 10);
}

/** As if all messages of the organization had been accepted on that day, at the same hours. */
async function moveHours(
	databaseUrl: string,
	organizationId: string,
	day: string,
): Promise<void> {
	const sql = postgres(databaseUrl, { max: 1 });
	onTestFinished(() => sql.end());
	await sql`
		update accounts.report_counts
		set begins_at = (${day}::date + (begins_at at time zone 'UTC')::time) at time zone 'UTC'
		where organization_id = ${organizationId}
		and dimension = 'hour'
	`;
}
