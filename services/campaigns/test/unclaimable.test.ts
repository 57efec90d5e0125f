import { uuidv7 } from "@airtower/platform/runtime/ids";
import { beforeEach, expect, test } from "vitest";
import { claimDueCampaign } from "../src/store/campaign-leases.ts";
import { createCampaign, ownDatabase, phone } from "./test-campaigns.ts";

const UNCLAIMABLE = 1_000;

const sql = await ownDatabase();

beforeEach(async () => {
	await sql`delete from recipient_imports`;
	await sql`delete from campaigns`;
});

test.each([
	[
		"that others hold",
		"lease_token = uuidv7(), lease_until = now() + interval '10 seconds'",
	],
	[
		"that are paused",
		"status = 'paused', status_reason = 'quota_exhausted', paused_since = now(), due_at = now() + interval '1 minute'",
	],
	[
		"that have ended",
		"status = 'completed', completed_at = now(), due_at = null",
	],
])("a thousand campaigns %s cost one that is due no claim", async (_, set) => {
	for (let made = 0; made < UNCLAIMABLE; made++)
		await createCampaign(sql, uuidv7(), { recipients: [phone(made)] });
	await sql.unsafe(`update campaigns set ${set}`);
	const due = await createCampaign(sql, uuidv7(), { recipients: [phone(1)] });
	expect(await claimDueCampaign(sql, uuidv7())).toMatchObject({ id: due.id });
	expect(await claimDueCampaign(sql, uuidv7())).toBeUndefined();
});
