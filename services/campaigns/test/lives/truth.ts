import { expect } from "vitest";
import type { Life } from "./steps.ts";
import type { LivedCampaign, World } from "./world.ts";

/** The counts of campaigns are those of their recipients at any time, and shares are what is left of them. */
export async function expectExact({
	database: { sql },
	organizations,
	violations,
}: World): Promise<void> {
	const wrong = await sql`
		select campaigns.*, counted.*
		from campaigns
		cross join lateral (
			select array[
				count(*), count(*) filter (where state = 'skipped'),
				count(*) filter (where state in ('accepted', 'delivered', 'failed')),
				count(*) filter (where state = 'delivered'), count(*) filter (where state = 'failed')
			] as counts
			from recipients
			where campaign_id = campaigns.id
		) as counted
		cross join lateral (
			select count(*) as again from recipient_duplicates where campaign_id = campaigns.id
		) as repeated
		where duplicates <> again
		or array[audience - again, skipped - again, accepted, delivered, failed] <> counts
	`;
	expect([...wrong]).toEqual([]);
	expect(violations).toEqual([]);
	for (const organization of organizations) {
		const [share] = await sql<{ units: number; left: number }[]>`
			select units, (
				select count(*)
				from sent_batches
				join campaigns on campaigns.id = campaign_id
				where campaigns.organization_id = quota_shares.organization_id
			) as left
			from quota_shares
			where organization_id = ${organization.id}
		`;
		if (share === undefined) organization.sharing = undefined;
		const { sharing, used } = organization;
		if (share === undefined || !sharing?.isExact || share.left > 0) continue;
		expect(share.units + used - sharing.usedBefore).toBe(sharing.granted);
	}
}

/** Who was sent to is known without any outcome. */
export async function expectKnown({ database, messages }: World) {
	const rows = await database.sql<{ phone: string }[]>`
		select phone
		from recipients
		where state in ('accepted', 'delivered', 'failed')
	`;
	const known = new Set(rows.map(({ phone }) => phone));
	expect(known).toEqual(new Set(messages.map(({ phone }) => phone)));
}

/** What the API tells of a campaign that has ended is what messaging knows. */
export async function expectTruth(
	{ world, campaigns }: Life,
	lived: LivedCampaign,
): Promise<void> {
	const { id: campaignId, organization } = lived;
	const one = { organizationId: organization.id, campaignId };
	const all = { ...one, page: { limit: 200 } };
	const { campaign } = await campaigns.getCampaign(one);
	const { recipients } = await campaigns.listRecipients(all);
	const { recipients: skipped } = await campaigns.listRecipients({
		...all,
		status: "skipped",
	});
	const count = (status: string) =>
		BigInt(recipients.filter((one) => one.status === status).length);
	expect(campaign?.stats).toMatchObject({
		audience: BigInt(recipients.length),
		skipped: BigInt(skipped.length),
		accepted: count("delivered") + count("failed"),
		delivered: count("delivered"),
		failed: count("failed"),
		pending: 0n,
	});
	for (const { reason } of skipped) expect(reason).not.toBe("");
	for (const { phone, status, reason } of recipients) {
		const message = world.messages.find(
			(one) => one.campaign === lived && one.phone === phone,
		);
		const isSent = message !== undefined && reason !== "duplicate";
		const sent = message?.end === "delivered" ? "delivered" : "failed";
		expect(status, phone).toBe(isSent ? sent : "skipped");
	}
}
