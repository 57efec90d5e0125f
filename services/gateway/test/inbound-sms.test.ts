import { uuidv7 } from "@airtower/platform/runtime/ids";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "./call.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
	world = await startWorld();
});
afterAll(() => world.close());

test("a text that came in is listed as it was written, with what is missing of it marked", async () => {
	const { apiKey, organizationId } = world.accounts.addKey();
	const id = uuidv7();
	world.messaging.addInbound(organizationId, {
		id,
		body: "Oui […] à 9 h 👍",
		encoding: "ucs2",
		parts: 3,
		isComplete: false,
		keyword: "shop",
		receivedAt: timestampFromDate(new Date("2026-01-02T03:04:05.006Z")),
	});
	const { body } = await call(world.baseUrl, "/sms/inbound", { apiKey });
	expect(body).toEqual({
		success: true,
		messages: [
			{
				id,
				from: "+33612345678",
				to: "+33644630001",
				text: "Oui […] à 9 h 👍",
				encoding: "ucs2",
				parts: 3,
				is_complete: false,
				keyword: "shop",
				received_at: "2026-01-02T03:04:05.006Z",
			},
		],
		nextCursor: null,
	});
});

test("a national number is looked for as it is and as one of the organization's country", async () => {
	const { apiKey } = world.accounts.addKey({ defaultCountry: "FR" });
	const query = "from=06%2012%2034%2056%2078&to=36173";
	const path = `/sms/inbound?${query}`;
	expect((await call(world.baseUrl, path, { apiKey })).status).toBe(200);
	expect(world.messaging.inboundRequests.at(-1)).toMatchObject({
		from: ["06 12 34 56 78", "+33612345678"],
		to: ["36173"],
	});
});
