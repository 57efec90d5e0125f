import type { Context } from "../context.ts";
import { measureCampaigns as findMeasures } from "../store/measure-campaigns.ts";

export async function measureCampaigns({
	sql,
	telemetry,
}: Context): Promise<number> {
	const { pending, overdueS, ...unfinished } = await findMeasures(sql);
	for (const [status, count] of Object.entries(unfinished))
		telemetry.unfinished.set({ status }, count);
	telemetry.pending.set(pending);
	telemetry.overdue.set(overdueS);
	return 0;
}
