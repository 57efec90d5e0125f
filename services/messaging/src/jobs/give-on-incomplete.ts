import { transaction } from "@airtower/platform/database/database";
import type { DeliveryContext } from "../context.ts";
import { toPartSets } from "../domain/inbound/join-parts.ts";
import {
	groupByText,
	type JoinedParts,
	reportTexts,
	storeJoined,
} from "../inbound/store-texts.ts";
import {
	findOverdueTexts,
	findPartsOf,
	lockTexts,
} from "../store/inbound/inbound-parts.ts";

const BATCH_SIZE = 500;

/** Gives on texts whose last part has waited for the others for long enough, as they are; returns how many. */
export async function giveOnIncomplete(ctx: DeliveryContext): Promise<number> {
	const texts = await transaction(ctx.sql, async (sql) => {
		const keys = await findOverdueTexts(sql, BATCH_SIZE);
		if (keys.length === 0) return [];
		await lockTexts(sql, keys);
		const parts = groupByText(await findPartsOf(sql, keys));
		return storeJoined(sql, parts.flatMap(toPartSets).filter(isOverdue));
	});
	reportTexts(ctx, texts);
	return texts.length;
}

function isOverdue(set: JoinedParts): boolean {
	return [...set.values()].every(({ isDue }) => isDue);
}
