import { uuidv7 } from "@airtower/platform/runtime/ids";
import { afterAll, beforeAll, expect, test } from "vitest";
import { refusalOf } from "./support/clients.ts";
import { senderIdCalls } from "./support/sender-ids.ts";
import { startTestService, type TestService } from "./support/service.ts";

let service: TestService;

beforeAll(async () => {
	service = await startTestService();
});

afterAll(() => service.close());

const { request, decide, list } = senderIdCalls(() => service);

test("the first approved sender ID is the default and stays it", async () => {
	const organization = uuidv7();
	const one = await request(organization, "One");
	const two = await request(organization, "Two");
	expect((await decide(organization, two, "approved"))?.isDefault).toBe(true);
	expect((await decide(organization, one, "approved"))?.isDefault).toBe(false);
});

test("a suspended default passes it on only with the next approval", async () => {
	const organization = uuidv7();
	const one = await request(organization, "One");
	const two = await request(organization, "Two");
	await decide(organization, one, "approved");
	const suspended = await decide(organization, one, "suspended");
	expect(suspended).toMatchObject({ status: "suspended", isDefault: true });
	expect((await decide(organization, two, "approved"))?.isDefault).toBe(true);
	const back = await decide(organization, one, "approved");
	expect(back).toMatchObject({ status: "approved", isDefault: false });
	const defaults = (await list(organization)).filter((row) => row.isDefault);
	expect(defaults).toHaveLength(1);
});

test("a default that is approved again is the default again", async () => {
	const organization = uuidv7();
	const one = await request(organization, "One");
	await decide(organization, one, "approved");
	await decide(organization, one, "suspended");
	expect((await decide(organization, one, "approved"))?.isDefault).toBe(true);
});

test("parallel approvals make one default", async () => {
	const organization = uuidv7();
	const requested = [];
	for (let nth = 0; nth < 8; nth++)
		requested.push(await request(organization, `Shop ${nth}`));
	await Promise.all(
		requested.map((one) => decide(organization, one, "approved")),
	);
	const rows = await list(organization);
	expect(rows.every((row) => row.status === "approved")).toBe(true);
	expect(rows.filter((row) => row.isDefault)).toHaveLength(1);
});

test.each([
	["pending", [], "suspended"],
	["rejected", ["rejected"], "approved"],
	["rejected", ["rejected"], "suspended"],
	["approved", ["approved"], "rejected"],
	["suspended", ["approved", "suspended"], "rejected"],
])("a %s sender ID after %j cannot become %s", async (_, path, next) => {
	const organization = uuidv7();
	const senderId = await request(organization, "Shop");
	for (const status of path) await decide(organization, senderId, status);
	const call = decide(organization, senderId, next);
	expect(await refusalOf(call)).toBe("invalid_transition");
});

test("the same decision again changes nothing", async () => {
	const organization = uuidv7();
	const senderId = await request(organization, "Shop");
	const first = await decide(organization, senderId, "rejected", "no proof");
	const again = await decide(organization, senderId, "rejected", "no proof");
	expect(again).toEqual(first);
});

test("the same decision for another reason has the new one, on one line", async () => {
	const organization = uuidv7();
	const senderId = await request(organization, "Shop");
	await decide(organization, senderId, "rejected", "no proof");
	expect(
		await decide(organization, senderId, "rejected", "no\u001b\nbrand"),
	).toMatchObject({ status: "rejected", rejectionReason: "no brand" });
});

test("a rejection and a suspension need a reason", async () => {
	const organization = uuidv7();
	const senderId = await request(organization, "Shop");
	const call = decide(organization, senderId, "rejected", " ");
	expect(await refusalOf(call)).toBe("reason_required");
});
