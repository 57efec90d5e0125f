import { timestampDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CallOptions, call } from "./call.ts";
import { startWorld, type World } from "./world.ts";

const NOW = Date.parse("2026-03-31T18:00:00Z");

let world: World;
let apiKey: string;

beforeAll(async () => {
	world = await startWorld({ nowMs: () => NOW });
	const key = world.accounts.addKey();
	({ apiKey } = key);
	for (let count = 0; count < 3; count++)
		world.account.addEntry(key.organizationId);
});
afterAll(() => world.close());

const get = (query = "", options: CallOptions = {}) =>
	call(world.baseUrl, `/reports/usage${query}`, { apiKey, ...options });

const sum = {
	day: "2026-03-01",
	kind: "grant",
	channel: "sms",
	campaign_id: null,
	units: 300,
	entries: 3,
};

test("without a query it is of the last 30 days, today among them, and says so", async () => {
	const { status, body } = await get();
	expect(status).toBe(200);
	expect(body).toEqual({
		success: true,
		date_from: "2026-03-02",
		date_to: "2026-04-01",
		sums: [sum],
	});
	expect(world.account.reportRequests.at(-1)).toMatchObject({
		byCampaign: false,
	});
});

test.each([
	["date_from=2026-03-10", "2026-03-10", "2026-04-01"],
	["date_to=2026-03-10", "2026-02-08", "2026-03-10"],
	["date_from=2026-03-10T23:59:59Z", "2026-03-10", "2026-04-01"],
	["date_to=0001-01-03", "0001-01-01", "0001-01-03"],
])("%s is from %s until before %s", async (query, from, to) => {
	const { status, body } = await get(`?${query}`);
	expect([status, body.date_from, body.date_to]).toEqual([200, from, to]);
	const { dateFrom, dateTo } = world.account.reportRequests.at(-1) ?? {};
	const days = [dateFrom, dateTo].map(
		(time) => time && timestampDate(time).toISOString().slice(0, 10),
	);
	expect(days).toEqual([from, to]);
});

test("group_by=campaign asks for the sums of each campaign", async () => {
	expect((await get("?group_by=campaign")).status).toBe(200);
	expect(world.account.reportRequests.at(-1)).toMatchObject({
		byCampaign: true,
	});
});

const TABLE =
	"day,kind,channel,campaign_id,units,entries\r\n2026-03-01,grant,sms,,300,3\r\n";

test.each([
	["format=csv", undefined],
	["format=csv", "application/json"],
	["", "text/csv"],
	["", "text/csv, */*;q=0.1"],
])("?%s with Accept: %s is CSV", async (query, accept) => {
	const response = await fetch(`${world.baseUrl}/reports/usage?${query}`, {
		headers: { "x-api-key": apiKey, ...(accept !== undefined && { accept }) },
	});
	const { status, headers: got } = response;
	expect([status, got.get("content-type"), await response.text()]).toEqual([
		200,
		"text/csv; charset=utf-8",
		TABLE,
	]);
	expect(got.get("content-disposition")).toBe(
		'attachment; filename="usage-2026-03-02-2026-04-01.csv"',
	);
	expect(got.has("x-ratelimit-remaining")).toBe(true);
});

test.each([
	["format=json", "text/csv"],
	["", "application/json, text/csv"],
	["", "*/*"],
])("?%s with Accept: %s is JSON", async (query, accept) => {
	const { body } = await get(`?${query}`, { headers: { accept } });
	expect(body.sums).toEqual([sum]);
});

test("an error is JSON, whatever was asked for", async () => {
	const { status, body } = await get("?format=csv&date_from=x");
	expect(status).toBe(400);
	expect(body.error?.details).toMatchObject([{ field: "date_from" }]);
});
