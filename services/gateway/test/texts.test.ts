import { uuidv7 } from "@airtower/platform/runtime/ids";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "./call.ts";
import { sms } from "./rows.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
let apiKey: string;

beforeAll(async () => {
	world = await startWorld();
	apiKey = world.accounts.addKey().apiKey;
});
afterAll(() => world.close());

const send = (path: string, options: object) =>
	call(world.baseUrl, path, options);

const listCampaign = {
	name: "Spring",
	content: "Hello",
	recipients: ["+33612345678"],
};
const whatsappText = (body: string) => ({
	type: "text",
	to: "+33612345678",
	phoneNumberId: uuidv7(),
	text: { body },
});

test.each([
	["/whatsapp/messages", "text.body", whatsappText(" \t ")],
	["/campaigns", "name", { ...listCampaign, name: " " }],
	["/campaigns", "content", { ...listCampaign, content: "\n" }],
	["/contacts", "name", { name: "  ", phone: "+33612345678" }],
	["/api-keys", "name", { name: "\u2003" }],
])("POST %s refuses white space as its %s", async (path, field, body) => {
	const response = await send(path, { method: "POST", apiKey, body });
	expect(response.status).toBe(400);
	expect(response.body.error?.details).toMatchObject([
		{ field, code: "too_short" },
	]);
});

test("a length counts characters, as the document does, and not their halves", async () => {
	const name = "😀".repeat(200);
	const post = (path: string, body: object) =>
		send(path, { method: "POST", apiKey, body });
	const contact = { name, phone: "+33612345678" };
	expect((await post("/contacts", contact)).status).toBe(200);
	const clientReference = "😀".repeat(128);
	expect((await post("/sms/send", { ...sms, clientReference })).status).toBe(
		202,
	);
	const longer = await post("/contacts", { ...contact, name: `${name}x` });
	expect(longer.body.error?.details).toMatchObject([
		{ field: "name", code: "too_long" },
	]);
});
