import { timestampDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "./call.ts";
import { startWorld, type World } from "./world.ts";

const NOW = Date.parse("2026-03-31T18:00:00Z");

let world: World;
let apiKey: string;

beforeAll(async () => {
	world = await startWorld({ nowMs: () => NOW });
	({ apiKey } = world.accounts.addKey());
	world.account.deliverySums = [
		{
			value: "+33612",
			channel: "sms",
			accepted: 10n,
			delivered: 5n,
			failed: 3n,
			failures: [
				{ reason: "expired", messages: 2n },
				{ reason: "rejected", messages: 1n },
			],
			canceled: 1n,
			unknown: 1n,
			medianSeconds: 3.56,
			p95Seconds: 14.3,
			segments: 12n,
			costs: [{ currency: "EUR", micros: 362_500n }],
		},
		{ value: "", channel: "whatsapp", accepted: 1n, unknown: 1n },
	];
});
afterAll(() => world.close());

const get = (query = "") =>
	call(world.baseUrl, `/reports/delivery${query}`, { apiKey });

const NOTHING = {
	delivered: 0,
	failed: 0,
	failures: [],
	canceled: 0,
	median_seconds: null,
	p95_seconds: null,
	segments: 0,
	costs: [],
};

test("without a query it is by day, of the last 30 days and both channels, and says so", async () => {
	const { status, body } = await get();
	expect(status).toBe(200);
	expect(body).toEqual({
		success: true,
		date_from: "2026-03-02",
		date_to: "2026-04-01",
		sums: [
			{
				value: "+33612",
				channel: "sms",
				accepted: 10,
				delivered: 5,
				failed: 3,
				failures: [
					{ reason: "expired", messages: 2 },
					{ reason: "rejected", messages: 1 },
				],
				canceled: 1,
				unknown: 1,
				median_seconds: 3.56,
				p95_seconds: 14.3,
				segments: 12,
				costs: [{ currency: "EUR", amount: 0.3625 }],
			},
			{
				...NOTHING,
				value: null,
				channel: "whatsapp",
				accepted: 1,
				unknown: 1,
			},
		],
	});
	expect(world.account.deliveryRequests.at(-1)).toMatchObject({
		groupBy: "day",
		channel: "",
	});
});

test("it asks for the days, the channel and the grouping of its query", async () => {
	const query = "group_by=prefix&channel=sms&date_from=2026-03-10T23:00:00Z";
	expect((await get(`?${query}`)).status).toBe(200);
	const asked = world.account.deliveryRequests.at(-1);
	expect(asked).toMatchObject({ groupBy: "prefix", channel: "sms" });
	const { dateFrom, dateTo } = asked ?? {};
	const days = [dateFrom, dateTo].map(
		(time) => time && timestampDate(time).toISOString().slice(0, 10),
	);
	expect(days).toEqual(["2026-03-10", "2026-04-01"]);
});

test("one that would begin after its usual end is refused, as one that ends before it begins", async () => {
	for (const query of [
		"date_from=2031-06-01",
		"date_from=2026-03-02&date_to=2026-03-01",
	]) {
		const { status, body } = await get(`?group_by=day&${query}`);
		expect(status).toBe(400);
		expect(body.error?.details?.[0]).toMatchObject({
			field: "date_from",
			message: "Query date_from: must not be after date_to.",
		});
	}
});

test("as CSV each line is a row, and a list is one cell", async () => {
	const url = `${world.baseUrl}/reports/delivery?format=csv&group_by=prefix`;
	const response = await fetch(url, { headers: { "x-api-key": apiKey } });
	expect(await response.text()).toBe(
		[
			"value,channel,accepted,delivered,failed,failures,canceled,unknown,median_seconds,p95_seconds,segments,costs",
			"+33612,sms,10,5,3,expired 2; rejected 1,1,1,3.56,14.3,12,EUR 0.3625",
			",whatsapp,1,0,0,,0,1,,,0,",
			"",
		].join("\r\n"),
	);
	expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
	expect(response.headers.get("content-disposition")).toBe(
		'attachment; filename="delivery-prefix-2026-03-02-2026-04-01.csv"',
	);
});

test.each(["group_by=week", "channel=fax", "format=xml", "limit=3"])(
	"?%s is refused",
	async (query) => {
		expect((await get(`?${query}`)).status).toBe(400);
	},
);
