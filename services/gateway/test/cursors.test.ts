import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "./call.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
let apiKey: string;

beforeAll(async () => {
	world = await startWorld();
	apiKey = world.accounts.addKey().apiKey;
	for (let count = 0; count < 7; count++)
		await call(world.baseUrl, "/webhooks", {
			method: "POST",
			apiKey,
			body: {
				url: `https://example.com/${count}`,
				subscribed_events: ["message.failed"],
			},
		});
});
afterAll(() => world.close());

const list = (query: string, as = apiKey) =>
	call(world.baseUrl, `/webhooks?${query}`, { apiKey: as });

test("a list read page by page has every row once, newest first, with any page size", async () => {
	for (const limit of [1, 3, 7, 200]) {
		const urls: string[] = [];
		let cursor: unknown = "";
		do {
			const query = cursor === "" ? "" : `&cursor=${String(cursor)}`;
			const { body } = await list(`limit=${limit}${query}`);
			for (const { url } of Object(body.webhookEndpoints)) urls.push(url);
			cursor = body.nextCursor;
		} while (cursor !== null);
		expect(urls.map((url) => url.slice(-1)).join("")).toBe("6543210");
	}
});

test("a cursor that was changed, or is another organization's, is 400 invalid_cursor", async () => {
	const { body } = await list("limit=2");
	const cursor = String(body.nextCursor);
	const other = world.accounts.addKey().apiKey;
	const changed = (cursor.startsWith("B") ? "C" : "B") + cursor.slice(1);
	for (const [text, as] of [
		[cursor, other],
		[changed, apiKey],
		[`${cursor}AAAA`, apiKey],
		[cursor.slice(0, -4), apiKey],
		["", apiKey],
		["%00", apiKey],
		["x".repeat(2_000), apiKey],
	] as const) {
		const response = await list(`cursor=${text}`, as);
		expect([response.status, response.body.error?.code]).toEqual([
			400,
			"invalid_cursor",
		]);
	}
});

test.each(["0", "201", "-1", "1.5", "1e1", "0x10", "050", "%20 5", "", "abc"])(
	"limit=%s is 400",
	async (limit) => {
		const { status, body } = await list(`limit=${limit}`);
		expect(status).toBe(400);
		expect(body.error?.details).toMatchObject([{ field: "limit" }]);
	},
);

test("a parameter that is given twice is 400", async () => {
	const { status, body } = await list("limit=1&limit=2");
	expect(status).toBe(400);
	expect(body.error?.details).toMatchObject([
		{ field: "limit", code: "invalid_type" },
	]);
});
