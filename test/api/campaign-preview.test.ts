import { eventually } from "@airtower/platform/testing/eventually";
import { beforeAll, expect, test } from "vitest";
import { call } from "../../services/gateway/test/call.ts";
import {
	adminClients,
	createOrganization,
	type TestOrganization,
} from "../support/organization.ts";
import { type ApiWorld, sharedApiWorld } from "./api-world.ts";

const QUOTA = 6;
const TIMEOUT_MS = 600_000;
const WAIT = { timeoutMs: 120_000, everyMs: 500 };

let world: ApiWorld;
let organization: TestOrganization;

beforeAll(async () => {
	world = await sharedApiWorld();
	organization = await createOrganization(adminClients(world.system), QUOTA);
});

const post = (path: string, body: object) =>
	call(world.baseUrl, path, {
		method: "POST",
		apiKey: organization.apiKey,
		body,
	});
const get = async (path: string) =>
	Object(
		(await call(world.baseUrl, path, { apiKey: organization.apiKey })).body,
	);

const phone = (nth: number) => `+3361234567${nth}`;

const tagged = {
	name: "Sale",
	message_template: "Hello {{name|there}}, it’s 20 % off",
	audience_tags: ["gold"],
};
const listed = {
	name: "Sale",
	content: "Hello",
	recipients: [phone(1), phone(2), "nobody", phone(1), phone(3), phone(7)],
};

test(
	"over HTTP a campaign becomes what its preview said, to the unit of quota: one by tags, then one to a list that runs out",
	async () => {
		for (const nth of [1, 2, 3, 4, 5])
			await post("/contacts", {
				name: `Name ${nth}`,
				phone: phone(nth),
				tags: [nth === 5 ? "new" : "gold"],
			});
		await post("/opt-outs", { recipient: phone(2) });
		const first = await compare(tagged);
		expect(first.preview).toMatchObject({
			status: "sending",
			skippedByReason: [{ reason: "recipient_opted_out", count: 1 }],
			quotaBefore: QUOTA,
			remainingQuota: 3,
			examples: [
				{
					phone: phone(1),
					name: "Name 1",
					message: "Hello Name 1, it’s 20 % off",
					encoding: "ucs2",
				},
				{ phone: phone(3) },
				{ phone: phone(4) },
			],
		});
		await post("/sms/send", { to: phone(9), message: "hello" });
		const second = await compare(listed);
		expect(second.preview).toMatchObject({
			status: "paused",
			statusReason: "quota_exhausted",
			quotaBefore: 2,
			remainingQuota: 0,
		});
	},
	TIMEOUT_MS,
);

/** Previews a campaign, makes it, and compares once it has sent to all whom it may send to. */
async function compare(body: object) {
	const { status, body: told } = await post("/campaigns/preview", body);
	expect(status).toBe(200);
	const preview = Object(told);
	expect(await post("/campaigns/preview", body)).toMatchObject({ body: told });
	const created = Object((await post("/campaigns", body)).body);
	const path = `/campaigns/${created.campaign.id}`;
	await eventually(async () => {
		const { campaign } = await get(path);
		const { audience, skipped, duplicates, accepted } = campaign.stats;
		expect({ audience, skipped, duplicates, accepted }).toEqual({
			audience: preview.stats.audience,
			skipped: preview.stats.skipped,
			duplicates: preview.stats.duplicates,
			accepted: preview.stats.accepted,
		});
		expect(campaign.status === "paused").toBe(preview.status === "paused");
		expect(campaign.status_reason).toBe(preview.statusReason);
		const { account } = await get("/account");
		expect(account.quota.sms.remaining).toBe(preview.remainingQuota);
	}, WAIT);
	const { recipients } = await get(`${path}/recipients?status=skipped`);
	const reasons: Record<string, number> = {};
	for (const { reason } of recipients)
		reasons[reason] = (reasons[reason] ?? 0) + 1;
	const foretold = Object.fromEntries(
		preview.skippedByReason.map((one: { reason: string; count: number }) => [
			one.reason,
			one.count,
		]),
	);
	expect(reasons).toEqual(foretold);
	return { preview };
}
