import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call } from "./call.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
let apiKey: string;

beforeAll(async () => {
	world = await startWorld();
	apiKey = world.accounts.addKey().apiKey;
});
afterAll(() => world.close());

const tagForm = {
	name: "Spring",
	message_template: "Hello {{name|there}}",
	audience_tags: ["gold"],
};
const listForm = {
	name: "Spring",
	content: "Hello",
	recipients: ["+33612345678"],
};

const create = (body: unknown) =>
	call(world.baseUrl, "/campaigns", { method: "POST", apiKey, body });

const detailsOf = async (body: unknown) => {
	const response = await create(body);
	expect([response.status, response.body.error?.code]).toEqual([
		400,
		"validation_failed",
	]);
	return response.body.error?.details.map(
		({ field, code }) => `${field} ${code}`,
	);
};

describe("the form with tags", () => {
	test("goes on with all its fields; the match mode is all by default", async () => {
		const scheduled_at = "2030-01-01T09:00:00+01:00";
		const { status, body } = await create({ ...tagForm, scheduled_at });
		expect(status).toBe(201);
		expect(body.campaign).toMatchObject({
			name: "Spring",
			status: "scheduled",
			audience_tags: ["gold"],
			audience_tag_match_mode: "all",
		});
		expect(world.campaigns.campaignRequests.at(-1)).toMatchObject({
			messageTemplate: tagForm.message_template,
			audienceTags: ["gold"],
			recipients: [],
			scheduledAt: { seconds: BigInt(Date.parse(scheduled_at) / 1_000) },
		});
	});

	test.each([
		[{ name: "Spring", message_template: "Hello" }, "audience_tags required"],
		[{ ...tagForm, audience_tags: [] }, "audience_tags too_short"],
		[
			{ ...tagForm, audience_tag_match_mode: "none" },
			"audience_tag_match_mode invalid_value",
		],
		[{ ...tagForm, sender_id: "ACME" }, "sender_id invalid_format"],
		[{ ...tagForm, scheduled_at: "tomorrow" }, "scheduled_at invalid_format"],
		[
			{ ...tagForm, message_template: "Hello {{first}}" },
			"message_template invalid_template",
		],
	])("%j is 400 %s", async (body, detail) => {
		expect(await detailsOf(body)).toEqual([detail]);
	});
});

describe("the form with numbers", () => {
	test("goes on with its sender and every number as it came", async () => {
		const recipients = ["+33612345678", "0612", "+33612345678"];
		const { status } = await create({
			...listForm,
			recipients,
			senderName: "ACME",
		});
		expect(status).toBe(201);
		expect(world.campaigns.campaignRequests.at(-1)).toMatchObject({
			messageTemplate: "Hello",
			senderName: "ACME",
			audienceTags: [],
			recipients,
		});
	});

	test("takes 100,000 numbers and no more", async () => {
		const recipients = Array.from(
			{ length: 100_000 },
			(_, index) => `+336${String(index).padStart(8, "0")}`,
		);
		expect((await create({ ...listForm, recipients })).status).toBe(201);
		recipients.push("+33612345678");
		expect(await detailsOf({ ...listForm, recipients })).toEqual([
			"recipients too_long",
		]);
	});

	test.each([
		[{ ...listForm, recipients: [] }, "recipients too_short"],
		[{ ...listForm, content: "Hello {{first}}" }, "content invalid_template"],
	])("%j is 400 %s", async (body, detail) => {
		expect(await detailsOf(body)).toEqual([detail]);
	});

	test("a refusal speaks of the fields of this form", async () => {
		const { status, body } = await create({
			...listForm,
			senderName: "Unknown",
		});
		expect([status, body.error?.code]).toEqual([400, "unknown_sender"]);
		expect(body.error?.details).toMatchObject([{ field: "senderName" }]);
	});
});

describe("a mixture of the forms", () => {
	test.each([
		[{ ...tagForm, recipients: ["+33612345678"] }, "recipients"],
		[{ ...tagForm, senderName: "ACME" }, "senderName"],
		[{ ...tagForm, scheduledAt: "2030-01-01T00:00:00Z" }, "scheduledAt"],
		[{ ...tagForm, content: "Hello" }, "content"],
		[{ ...listForm, audience_tags: ["gold"] }, "audience_tags"],
		[{ ...listForm, sender_id: "x" }, "sender_id"],
	])("%j is 400 and names %s", async (body, field) => {
		expect(await detailsOf(body)).toEqual([`${field} unknown_field`]);
	});
});
