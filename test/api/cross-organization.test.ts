import { uuidv7 } from "@airtower/platform/runtime/ids";
import { eventually } from "@airtower/platform/testing/eventually";
import { beforeAll, describe, expect, test } from "vitest";
import { type ApiResponse, call } from "../../services/gateway/test/call.ts";
import { type ApiWorld, sharedApiWorld } from "./api-world.ts";
import { campaignBody } from "./bodies.ts";
import { typedClient } from "./client.ts";
import { type IdInput, idInputs, listPaths } from "./id-inputs.ts";

const USERS = ["33612340001", "33612340002"] as const;
const TAG = "of-a";

let world: ApiWorld;
/** Key of the organization whose ids are tried. */
let ownKey: string;
/** Key of the organization that tries them. */
let foreignKey: string;
/** Ids of the first organization, by the name under which the API takes them. */
let ownIds: Readonly<Record<string, string>>;
/** Every list of the first organization, by path. */
let ownLists: ReadonlyMap<string, string>;

/** Ids of the same form that nobody has. */
const unknownIds: Readonly<Record<string, string>> = {
	apiKeyId: uuidv7(),
	webhookEndpointId: uuidv7(),
	webhookDeliveryId: `${uuidv7()}.${uuidv7()}`,
	id: "999999999",
	senderId: uuidv7(),
	sender_id: uuidv7(),
	phoneNumberId: uuidv7(),
	campaignId: uuidv7(),
	messageId: uuidv7(),
	optOutId: uuidv7(),
};

beforeAll(async () => {
	world = await sharedApiWorld();
	const own = await world.organization();
	ownKey = own.apiKey;
	foreignKey = (await world.organization()).apiKey;
	ownIds = await fill(own.id, own.senderId);
	const lists = listPaths().map(
		async (path) => [path, (await get(path, ownKey)).text] as const,
	);
	ownLists = new Map(await Promise.all(lists));
});

/** Gives an organization two rows of every list. */
async function fill(organizationId: string, senderId: string) {
	const client = typedClient(world.baseUrl, ownKey);
	const phoneNumberId = await world.whatsappNumber(organizationId);
	const ids: Record<string, string> = {
		senderId,
		sender_id: senderId,
		phoneNumberId,
	};
	for (const [index, user] of USERS.entries()) {
		await world.receiveText(user, "hello");
		await world.receiveSms(organizationId, `+${user}`);
		const { contact } = await client.post("/contacts", {
			name: "Ada",
			phone: `+${user}`,
			tags: [TAG],
		});
		ids.id = String(contact.id);
		const { apiKey } = await client.post("/api-keys", { name: `key ${index}` });
		ids.apiKeyId = apiKey.id;
		const { webhookEndpoint } = await client.post("/webhooks", {
			url: "http://127.0.0.1:9/hook",
			subscribed_events: ["message.delivered", "message.failed"],
		});
		ids.webhookEndpointId = webhookEndpoint.id;
		const other = { recipient: `+${user.slice(0, -1)}9`, sender: `S${index}x` };
		const { optOut } = await client.post("/opt-outs", other);
		ids.optOutId = optOut.id;
		const { campaign } = await client.post("/campaigns", campaignBody());
		ids.campaignId = campaign.id;
		const sms = { to: `+${user}`, message: "hello" };
		const { provider } = await client.post("/sms/send", sms);
		ids.messageId = provider.messageId;
	}
	await eventually(async () => {
		const open = await client.get("/whatsapp/conversations");
		expect(open.conversations.length).toBe(USERS.length);
		const { entries } = await client.get("/usage");
		expect(entries.length).toBeGreaterThan(1);
		const { requests } = await client.get("/requests");
		expect(requests.length).toBeGreaterThan(1);
		const path = `/webhooks/${ids.webhookEndpointId}/deliveries`;
		const [delivery] = Object((await get(path, ownKey)).body).webhookDeliveries;
		ids.webhookDeliveryId = delivery.id;
	});
	return ids;
}

const get = (path: string, apiKey: string) =>
	call(world.baseUrl, path, { apiKey });

/** The request of an operation with one id in its place. */
function request(input: IdInput, id: string): Promise<ApiResponse> {
	const { method, path, place, name, example } = input;
	const query = place === "query" ? `?${name}=${encodeURIComponent(id)}` : "";
	return call(world.baseUrl, path.replace(`{${name}}`, id) + query, {
		method,
		apiKey: foreignKey,
		...(place === "body" && { body: { ...example, [name]: id } }),
		...(method === "PATCH" && { body: example }),
	});
}

const told = ({ status, body }: ApiResponse) => ({
	status,
	body: { ...body, requestId: undefined },
});

async function cursorOf(path: string): Promise<string> {
	const { body, text } = await get(`${path}?limit=1`, ownKey);
	if (typeof body.nextCursor === "string") return body.nextCursor;
	throw new Error(`${path} has no second page: ${text}`);
}

const inputs = idInputs();

test("the document names ids of every kind", () => {
	const names = new Set(inputs.map(({ name }) => name));
	expect([...names].sort()).toEqual(
		["cursor", ...Object.keys(unknownIds)].sort(),
	);
});

describe.each(inputs)("$method $path", (input) => {
	test(`treats another organization's ${input.name} as an unknown one`, async () => {
		const isCursor = input.name === "cursor";
		const own = isCursor ? await cursorOf(input.path) : ownIds[input.name];
		const unknown = isCursor
			? Buffer.alloc(own?.length ?? 0, 7).toString("base64url")
			: unknownIds[input.name];
		const response = await request(input, own ?? "");
		expect(response.body.error?.code).toMatch(/^unknown_|^invalid_cursor$/);
		expect(told(response)).toEqual(told(await request(input, unknown ?? "")));
	});
});

describe.each(listPaths())("GET %s", (path) => {
	test("shows nothing of another organization's", async () => {
		const { status, text } = await get(path, foreignKey);
		expect(status).toBe(200);
		const mine = idsIn(ownLists.get(path) ?? "");
		expect(mine.length).toBeGreaterThan(0);
		for (const id of mine) expect(text).not.toContain(id);
	});

	test("is for its owner what it was before the other's attempts", async () => {
		// Each of the owner's own requests is another row.
		if (path === "/requests") return;
		const after = await get(path, ownKey);
		expect(idsIn(after.text)).toEqual(idsIn(ownLists.get(path) ?? ""));
	});
});

test("GET /reports/usage adds up what is the organization's own", async () => {
	const kindsOf = async (apiKey: string) => {
		const { body } = await get("/reports/usage?group_by=campaign", apiKey);
		const kinds = Array.from(Object(body.sums), (sum) => Object(sum).kind);
		return [...new Set(kinds)].sort();
	};
	expect(await kindsOf(ownKey)).toContain("usage");
	expect(await kindsOf(foreignKey)).toEqual(["grant"]);
});

test("GET /reports/delivery counts what is the organization's own", async () => {
	const countedFor = async (apiKey: string) => {
		const { body } = await get("/reports/delivery?group_by=day", apiKey);
		return Array.from(Object(body.sums), (sum) => Object(sum).accepted);
	};
	await eventually(async () => {
		const [accepted] = await countedFor(ownKey);
		expect(accepted).toBeGreaterThanOrEqual(USERS.length);
	});
	expect(await countedFor(foreignKey)).toEqual([]);
});

test("GET /opt-outs/export holds what is the organization's own", async () => {
	const linesOf = async (apiKey: string) =>
		(await get("/opt-outs/export", apiKey)).text.split("\r\n").slice(1, -1);
	expect(await linesOf(ownKey)).toHaveLength(USERS.length);
	expect(await linesOf(foreignKey)).toEqual([]);
});

test("quiet hours are their organization's own", async () => {
	const path = "/quiet-hours";
	const body = { start: "21:00", end: "08:00" };
	await call(world.baseUrl, path, { method: "PUT", apiKey: ownKey, body });
	expect((await get(path, foreignKey)).body.quietHours).toBeNull();
	await call(world.baseUrl, path, { method: "DELETE", apiKey: foreignKey });
	expect((await get(path, ownKey)).body.quietHours).toEqual(body);
});

test.each([
	`/contacts?tag=${TAG}`,
	`/sms/messages?recipient=${USERS[0]}`,
	`/sms/inbound?from=${USERS[0]}`,
	`/whatsapp/messages?recipient=${USERS[0]}`,
	`/whatsapp/conversations?recipient=${USERS[0]}`,
	"/whatsapp/templates?name=order_update",
])("GET %s finds nothing with another organization's values", async (path) => {
	const rowsOf = (response: ApiResponse) =>
		Object.values(response.body).find(Array.isArray)?.length;
	expect(rowsOf(await get(path, ownKey))).toBeGreaterThan(0);
	expect(rowsOf(await get(path, foreignKey))).toBe(0);
});

function idsIn(text: string): string[] {
	const ids = [...text.matchAll(/"id":("[^"]+"|\d+)/g)];
	return ids.map(([match]) => match);
}
