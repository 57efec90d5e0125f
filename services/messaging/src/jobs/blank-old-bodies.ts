import { transaction } from "@airtower/platform/database/database";
import { findRetentions } from "@airtower/platform/privacy/retentions";
import type { CommonContext } from "../context.ts";
import { type BodyScan, blankNextBodies } from "../store/body-scans.ts";
import { blankLateBodies } from "../store/late-bodies.ts";

const BATCH = 2_000;

/** Blanks the texts of messages that ended so long ago; returns how many messages it looked at. */
export async function blankOldBodies(ctx: CommonContext): Promise<number> {
	const { sql, limits, clock } = ctx;
	const { bodyDays } = limits;
	const own = await findRetentions(sql, bodyDays);
	const scans: BodyScan[] = [...own, { organizationId: undefined, bodyDays }];
	let messages = 0;
	for (const scan of scans)
		messages += await transaction(sql, (sql) =>
			blankNextBodies(sql, scan, clock(), BATCH),
		);
	return (
		messages +
		(await transaction(sql, (sql) => blankLateBodies(sql, bodyDays, BATCH)))
	);
}
