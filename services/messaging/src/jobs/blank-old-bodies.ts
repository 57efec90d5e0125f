import { transaction } from "@airtower/platform/database/database";
import { findRetentions } from "@airtower/platform/privacy/retentions";
import type { CommonContext } from "../context.ts";
import {
	type BodyScan,
	blankNextBodies,
	blankNextInbound,
} from "../store/body-scans.ts";
import { blankLateBodies } from "../store/late-bodies.ts";

const BATCH = 2_000;

/** Blanks the texts of messages that ended, or came in, so long ago; returns how many messages it looked at. */
export async function blankOldBodies(ctx: CommonContext): Promise<number> {
	const { sql, limits, clock } = ctx;
	const { bodyDays } = limits;
	const own = await findRetentions(sql, bodyDays);
	const scans: BodyScan[] = [...own, { organizationId: undefined, bodyDays }];
	let messages = 0;
	for (const scan of scans)
		for (const blankNext of [blankNextBodies, blankNextInbound])
			messages += await transaction(sql, (sql) =>
				blankNext(sql, scan, clock(), BATCH),
			);
	return (
		messages +
		(await transaction(sql, (sql) => blankLateBodies(sql, bodyDays, BATCH)))
	);
}
