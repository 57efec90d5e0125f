import { transaction } from "@airtower/platform/database/database";
import type { CampaignsContext } from "../context.ts";
import { addProgress, type Leased } from "../store/campaigns.ts";
import { markSkipped } from "../store/recipients.ts";

/** Skips recipients whose organization is closed: nothing can come any more of what they were refused for. */
export async function skipRefused(
	ctx: CampaignsContext,
	campaign: Leased,
	phones: readonly string[],
): Promise<void> {
	const reason = "organization_closed";
	await transaction(ctx.sql, async (sql) => {
		const skipped = await markSkipped(
			sql,
			campaign.id,
			phones.map((phone) => ({ phone, reason })),
		);
		await addProgress(sql, campaign.id, { skipped });
	});
}
