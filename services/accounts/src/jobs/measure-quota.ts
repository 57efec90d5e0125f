import type { Context } from "../context.ts";
import { findQuotaDrift } from "../store/quota.ts";

/** Compares each balance with the last line of its ledger. */
export async function measureQuota({
	sql,
	telemetry,
}: Context): Promise<number> {
	telemetry.quotaDrift.set(await findQuotaDrift(sql));
	return 0;
}
