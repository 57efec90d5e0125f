import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call } from "./call.ts";
import { startWorld, type World } from "./world.ts";

const PHONES = ["+33612340001", "+33612340002", "+33612340003"] as const;

const CAMPAIGN = "0199b0a5-1c2d-7e3f-8a4b-5c6d7e8f9a0b";

let world: World;
let apiKey: string;

beforeAll(async () => {
	world = await startWorld();
	const key = world.accounts.addKey();
	({ apiKey } = key);
	for (const phone of PHONES) {
		world.account.addEntry(key.organizationId);
		world.messaging.addInbound(key.organizationId, { from: phone });
		world.whatsapp.addTemplate(key.organizationId, `template_${phone}`);
		world.whatsapp.addConversation(key.organizationId);
		await post("/opt-outs", { recipient: phone });
		await post("/contacts", { name: "Ada", phone, tags: "Gold,paris" });
		await post("/api-keys", { name: phone });
		await post("/sms/send", { to: phone, message: "hello" });
		await post("/campaigns", {
			name: phone,
			content: "Hello",
			recipients: [phone],
		});
		await post("/whatsapp/messages", {
			type: "text",
			to: phone,
			phoneNumberId: "0199b0a7-3e4f-7051-8c6d-7e8f9a0b1c2d",
			text: { body: "hello" },
		});
	}
});
afterAll(() => world.close());

async function post(path: string, body: unknown): Promise<void> {
	const response = await call(world.baseUrl, path, {
		method: "POST",
		apiKey,
		body,
	});
	expect(response.status, response.text).toBeLessThan(300);
}

const get = (path: string) => call(world.baseUrl, path, { apiKey });

describe.each([
	["/sms/messages", "messages"],
	["/sms/inbound", "messages"],
	["/whatsapp/messages", "messages"],
	["/whatsapp/templates", "templates"],
	["/whatsapp/conversations", "conversations"],
	["/account/audit", "entries"],
	["/usage", "entries"],
	["/contacts", "contacts"],
	["/opt-outs", "optOuts"],
	["/campaigns", "campaigns"],
	["/api-keys", "apiKeys"],
])("%s", (path, items) => {
	const idsOf = (body: object): string[] =>
		Array.from(Object(body)[items], (row) => String(Object(row).id));

	test("is read page by page, newest first", async () => {
		const { body } = await get(path);
		expect(body.nextCursor).toBeNull();
		const all = idsOf(body);
		expect(all.length).toBe(PHONES.length);
		const first = await get(`${path}?limit=2`);
		const cursor = String(first.body.nextCursor);
		const second = await get(`${path}?limit=2&cursor=${cursor}`);
		expect([...idsOf(first.body), ...idsOf(second.body)]).toEqual(all);
		expect(second.body.nextCursor).toBeNull();
	});

	test("takes no cursor of another list", async () => {
		const other = path === "/usage" ? "/contacts" : "/usage";
		const { body } = await get(`${other}?limit=1`);
		const response = await get(`${path}?cursor=${String(body.nextCursor)}`);
		expect([response.status, response.body.error?.code]).toEqual([
			400,
			"invalid_cursor",
		]);
	});
});

describe("filters", () => {
	test.each([
		["/whatsapp/messages", "status=read", { status: "read" }],
		[
			"/whatsapp/messages",
			"billing_category=utility",
			{ billingCategory: "utility" },
		],
		["/whatsapp/messages", "template_name=a%20b", { templateName: "a b" }],
		["/whatsapp/messages", "recipient=33612345678", recipient("+33612345678")],
		["/whatsapp/messages", "recipient=+33612345678", recipient("+33612345678")],
		[
			"/whatsapp/messages",
			"recipient=%2B33612345678",
			recipient("+33612345678"),
		],
		["/whatsapp/messages", "date_from=2026-03-01", dateFrom("2026-03-01")],
		["/whatsapp/messages", "date_to=2026-03-01", dateTo("2026-03-01")],
		[
			"/whatsapp/messages",
			"date_to=2026-03-01T01:00:00%2B01:00",
			dateTo("2026-03-01"),
		],
		["/whatsapp/templates", "status=paused", { status: "paused" }],
		["/whatsapp/templates", "category=marketing", { category: "marketing" }],
		["/whatsapp/templates", "name=order", { name: "order" }],
		["/whatsapp/templates", "date_from=2026-03-01", dateFrom("2026-03-01")],
		["/whatsapp/templates", "date_to=2026-03-01", dateTo("2026-03-01")],
		["/whatsapp/conversations", "status=open", { status: "open" }],
		[
			"/whatsapp/conversations",
			"recipient=33612345678",
			recipient("+33612345678"),
		],
		["/whatsapp/conversations", "date_from=2026-03-01", dateFrom("2026-03-01")],
		["/whatsapp/conversations", "date_to=2026-03-01", dateTo("2026-03-01")],
	])("%s?%s goes on to its service", async (path, query, filters) => {
		expect((await get(`${path}?${query}`)).status).toBe(200);
		expect(world.whatsapp.lastFilters).toMatchObject(filters);
	});

	test.each(["/whatsapp/messages", "/whatsapp/conversations"])(
		"GET %s reads a national number in the organization's country, and in no other",
		async (path) => {
			const query = "?recipient=06%2012.34-56%2078";
			const french = world.accounts.addKey({ defaultCountry: "FR" });
			const found = await call(world.baseUrl, path + query, french);
			expect(found.status).toBe(200);
			expect(world.whatsapp.lastFilters).toMatchObject(
				recipient("+33612345678"),
			);
			const { status, body } = await get(path + query);
			expect(status).toBe(400);
			expect(body.error?.details).toMatchObject([
				{ field: "recipient", code: "invalid_phone_number" },
			]);
		},
	);

	test.each([
		["status=failed", { status: "failed" }],
		["recipient=+33612345678", recipient("+33612345678")],
		[`campaign_id=${CAMPAIGN}`, { campaignId: CAMPAIGN }],
		["client_reference=order%201", { clientReference: "order 1" }],
		["date_from=2026-03-01", dateFrom("2026-03-01")],
		["date_from=2026-03-01T01:00:00+01:00", dateFrom("2026-03-01")],
		["date_to=2026-03-01", dateTo("2026-03-01")],
	])("/sms/messages?%s goes on to messaging", async (query, filters) => {
		expect((await get(`/sms/messages?${query}`)).status).toBe(200);
		expect(world.messaging.listRequests.at(-1)).toMatchObject(filters);
	});

	test.each([
		["from=33612345678", { from: ["33612345678", "+33612345678"] }],
		["from=+33612345678", { from: ["+33612345678"] }],
		["to=36173", { to: ["36173"] }],
		["to=ACME", { to: ["ACME"] }],
		["keyword=Shop", { keyword: "Shop" }],
		["date_from=2026-03-01", dateFrom("2026-03-01")],
		["date_to=2026-03-01", dateTo("2026-03-01")],
	])("/sms/inbound?%s goes on to messaging", async (query, filters) => {
		expect((await get(`/sms/inbound?${query}`)).status).toBe(200);
		expect(world.messaging.inboundRequests.at(-1)).toMatchObject(filters);
	});

	test.each([
		"/sms/messages",
		"/sms/inbound",
		"/whatsapp/messages",
		"/whatsapp/templates",
		"/whatsapp/conversations",
	])("%s refuses a range that ends before it begins", async (path) => {
		const range = "date_from=2026-03-02&date_to=2026-03-01";
		const { status, body } = await get(`${path}?${range}`);
		expect(status).toBe(400);
		expect(body.error?.details).toMatchObject([
			{ field: "date_from", code: "invalid_value" },
		]);
		const empty = "date_from=2026-03-01&date_to=2026-03-01";
		expect((await get(`${path}?${empty}`)).status).toBe(200);
	});

	test("a cursor is good for its own filters only", async () => {
		const path = "/whatsapp/messages?limit=1";
		const { body } = await get(path);
		const cursor = String(body.nextCursor);
		const response = await get(`${path}&status=read&cursor=${cursor}`);
		expect(response.body.error?.code).toBe("invalid_cursor");
	});
});

function recipient(recipient: string) {
	return { recipient };
}

function dateFrom(date: string) {
	return { dateFrom: { seconds: BigInt(Date.parse(date) / 1_000) } };
}

function dateTo(date: string) {
	return { dateTo: { seconds: BigInt(Date.parse(date) / 1_000) } };
}
