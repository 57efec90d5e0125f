import { uuidv7 } from "@airtower/platform/runtime/ids";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type CallOptions, call } from "./call.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
let apiKey: string;
/** Of a campaign that is sending. */
let path: string;

beforeAll(async () => {
	world = await startWorld();
	apiKey = world.accounts.addKey().apiKey;
});
afterAll(() => world.close());

beforeEach(async () => {
	path = await newCampaign();
});

async function newCampaign(): Promise<string> {
	const body = { name: "S", content: "Hi", recipients: ["+33612345678"] };
	const options = { method: "POST", apiKey, body };
	const created = await call(world.baseUrl, "/campaigns", options);
	return `/campaigns/${Object(created.body.campaign).id}`;
}

const get = (path: string) => call(world.baseUrl, path, { apiKey });
const post = (path: string, options: CallOptions = {}) =>
	call(world.baseUrl, path, { method: "POST", apiKey, ...options });

test("a campaign is paused, resumed, cancelled and shown, with a body of no field or none", async () => {
	const options: CallOptions[] = [
		{},
		{ body: {} },
		{ raw: "", headers: { "content-type": "application/json" } },
	];
	const changes = ["pause", "resume", "cancel"] as const;
	const statuses = ["paused", "sending", "cancelled"];
	for (const [index, change] of changes.entries()) {
		const changed = await post(`${path}/${change}`, options[index]);
		expect(changed.status, changed.text).toBe(200);
		const shown = await get(path);
		expect(shown.body.campaign).toEqual(changed.body.campaign);
		expect(shown.body.campaign).toMatchObject({
			status: statuses[index],
			status_reason: change === "pause" ? "requested" : null,
		});
	}
	const refused = await post(`${path}/resume`);
	expect([refused.status, refused.body.error?.code]).toEqual([
		409,
		"campaign_ended",
	]);
});

test("an idempotency key names the change of one campaign: at another it is another request", async () => {
	const headers = { "idempotency-key": "stop" };
	const first = await post(`${path}/pause`, { headers });
	await post(`${path}/resume`);
	const again = await post(`${path}/pause`, { headers });
	expect(again.text).toBe(first.text);
	expect(again.headers.get("idempotent-replayed")).toBe("true");
	const other = await post(`${await newCampaign()}/pause`, { headers });
	expect([other.status, other.body.error?.code]).toEqual([
		409,
		"idempotency_key_reused",
	]);
});

test("recipients are listed with their reasons, by status and page by page", async () => {
	const { body } = await get(`${path}/recipients?status=skipped&limit=1`);
	expect(body.recipients).toEqual([
		{
			phone: "no number",
			name: null,
			status: "skipped",
			reason: "invalid_phone_number",
			message_id: null,
		},
	]);
	expect(world.campaigns.recipientRequests.at(-1)).toMatchObject({
		campaignId: path.slice("/campaigns/".length),
		status: "skipped",
	});
	const cursor = `cursor=${String(body.nextCursor)}`;
	const next = await get(`${path}/recipients?status=skipped&${cursor}`);
	expect(next.body).toMatchObject({
		recipients: [{ phone: "+33612345678" }],
		nextCursor: null,
	});
	const other = `${await newCampaign()}/recipients?status=skipped&${cursor}`;
	expect((await get(other)).body.error?.code).toBe("invalid_cursor");
	const unknown = await get(`${path}/recipients?status=lost`);
	expect(unknown.body.error?.details).toMatchObject([{ field: "status" }]);
});

test.each([uuidv7(), "1'--"])(
	"the campaign %s is 404, as another organization's is",
	async (id) => {
		const foreign = world.accounts.addKey().apiKey;
		for (const [path_, apiKey_] of [
			[`/campaigns/${id}`, apiKey],
			[path, foreign],
		] as const)
			for (const [method, end] of [
				["GET", ""] as const,
				["GET", "/recipients"] as const,
				["POST", "/pause"] as const,
				["POST", "/cancel"] as const,
			]) {
				const options = { method, apiKey: apiKey_ };
				const response = await call(world.baseUrl, path_ + end, options);
				expect([response.status, response.body.error?.code]).toEqual([
					404,
					"unknown_campaign",
				]);
			}
	},
);
