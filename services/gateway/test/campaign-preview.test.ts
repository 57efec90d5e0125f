import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "./call.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
let apiKey: string;
beforeAll(async () => {
	world = await startWorld();
	apiKey = world.accounts.addKey({ defaultCountry: "FR" }).apiKey;
});
afterAll(() => world.close());

const tagForm = {
	name: "Spring",
	message_template: "Hello {{name|there}}",
	audience_tags: ["gold"],
	audience_tag_match_mode: "any",
};
const listForm = {
	name: "Spring",
	content: "Hello",
	senderName: "ACME",
	recipients: ["+33612345678", "12"],
};

const post = (path: string, body: object, headers = {}) =>
	call(world.baseUrl, path, { method: "POST", apiKey, body, headers });

test.each([
	["with tags", tagForm],
	["with numbers", listForm],
])(
	"campaigns gets the campaign %s that a creation would give it, without the idempotency key",
	async (_, body) => {
		const { campaignRequests, previewRequests } = world.campaigns;
		const created = campaignRequests.length;
		const headers = { "idempotency-key": "preview-1" };
		await post("/campaigns/preview", body, headers);
		expect(campaignRequests.length).toBe(created);
		await post("/campaigns", body);
		const preview = previewRequests.at(-1);
		expect(preview).toEqual(campaignRequests.at(-1));
		expect(preview?.idempotency).toBeUndefined();
	},
);

test("a campaign that would be created has its counts, examples, cost and quota", async () => {
	const [id, name] = ["0199b0a5-1c2d-7e3f-8a4b-5c6d7e8f9a0b", "ACME"];
	world.campaigns.forecast = {
		senderId: id,
		senderName: name,
		status: "paused",
		statusReason: "quota_exhausted",
		stats: { audience: 9n, skipped: 3n, duplicates: 1n, accepted: 2n },
		skipped: [
			{ reason: "recipient_opted_out", count: 2n },
			{ reason: "duplicate", count: 1n },
		],
		examples: [
			{ phone: "+33612345678", body: "Hello", encoding: "ucs2", segments: 1 },
		],
		segments: 7n,
		costs: [{ currency: "EUR", micros: 225_001n, segments: 5n }],
		segmentsWithoutCost: 2n,
		delayedByQuietHours: 4n,
		quotaBefore: 2n,
		remainingQuota: 0n,
	};
	const { status, body } = await post("/campaigns/preview", tagForm);
	expect(status).toBe(200);
	expect(body).toEqual({
		success: true,
		accepted: true,
		httpStatus: 201,
		error: null,
		sender: { id, value: name },
		status: "paused",
		statusReason: "quota_exhausted",
		stats: { audience: 9, skipped: 3, duplicates: 1, accepted: 2, pending: 0 },
		skippedByReason: [
			{ reason: "recipient_opted_out", count: 2 },
			{ reason: "duplicate", count: 1 },
		],
		examples: [
			{
				phone: "+33612345678",
				name: null,
				message: "Hello",
				encoding: "ucs2",
				segments: 1,
			},
		],
		segments: 7,
		costs: [{ currency: "EUR", amount: 0.225001, segments: 5 }],
		segmentsWithoutCost: 2,
		delayedByQuietHours: 4,
		quotaBefore: 2,
		remainingQuota: 0,
	});
});

test.each([
	["with tags", { ...tagForm, message_template: "{{first}}" }],
	["with numbers", { ...listForm, content: "{{first}}" }],
	["of an unknown sender", { ...listForm, senderName: "Unknown" }],
])(
	"what refuses a campaign %s is told as its creation tells it, by its own field",
	async (_, body) => {
		const preview = await post("/campaigns/preview", body);
		const creation = await post("/campaigns", body);
		expect(preview.status).toBe(200);
		expect(preview.body).toMatchObject({
			success: true,
			accepted: false,
			httpStatus: creation.status,
			error: creation.body.error,
			stats: null,
			remainingQuota: null,
		});
	},
);

test("a body without the form of a campaign is refused as its creation refuses it", async () => {
	for (const body of [
		{ name: "Spring" },
		{ ...tagForm, content: "Hello" },
		{ ...listForm, recipients: [] },
	]) {
		const preview = await post("/campaigns/preview", body);
		const creation = await post("/campaigns", body);
		expect(preview.status).toBe(400);
		expect(preview.body.error).toEqual(creation.body.error);
	}
});
