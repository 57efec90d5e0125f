import {
	type Db,
	type Tx,
	transaction,
} from "@airtower/platform/database/database";
import { findRetentions } from "@airtower/platform/privacy/retentions";
import { LOWEST_ID } from "@airtower/platform/runtime/ids";
import { advanceScan } from "@airtower/platform/work/resumable-scan";
import type { CommonContext } from "../context.ts";
import { blankBodies } from "../store/blanked-bodies.ts";
import { blankLateBodies, insertLateBodies } from "../store/late-bodies.ts";
import {
	type BodyOwner,
	blankInbound,
	findPassedInbound,
	findPassedMessages,
	type PassedInbound,
	type PassedMessage,
} from "../store/passed-bodies.ts";

const BATCH = 2_000;
/** Pages of an owner in a round: a round looks at every owner, and thousands may have a time of their own. */
const PAGES = 20;

/** A table with texts, which are blanked in the order of the rows' ids. */
interface BodyTable<Row extends PassedInbound> {
	readonly scan: string;
	readonly find: (
		sql: Db,
		owner: BodyOwner,
		after: string,
		now: Date,
		limit: number,
	) => Promise<Row[]>;
	readonly blank: (sql: Tx, rows: readonly Row[]) => Promise<void>;
}

const MESSAGES: BodyTable<PassedMessage> = {
	scan: "bodies",
	find: findPassedMessages,
	// One that has not ended for so long yet is noted, to be looked at again.
	blank: async (sql, rows) => {
		const due = rows.filter(({ isDue }) => isDue);
		await blankBodies(
			sql,
			due.map(({ id }) => id),
		);
		await insertLateBodies(
			sql,
			rows.filter(({ isDue }) => !isDue),
		);
	},
};

/** They have ended when they are stored, so that none is looked at again. */
const INBOUND: BodyTable<PassedInbound> = {
	scan: "inbound",
	find: findPassedInbound,
	blank: (sql, rows) =>
		blankInbound(
			sql,
			rows.map(({ id }) => id),
		),
};

/** Blanks the texts of messages that ended, or came in, so long ago; returns how many messages it looked at. */
export async function blankOldBodies(ctx: CommonContext): Promise<number> {
	const { sql, limits } = ctx;
	const { bodyDays } = limits;
	const own = await findRetentions(sql, bodyDays);
	const others: BodyOwner = { organizationId: undefined, bodyDays };
	let messages = 0;
	for (const owner of [...own, others]) {
		messages += await blankPages(ctx, owner, MESSAGES);
		messages += await blankPages(ctx, owner, INBOUND);
	}
	const late = await transaction(sql, (sql) =>
		blankLateBodies(sql, bodyDays, BATCH),
	);
	return messages + late;
}

async function blankPages<Row extends PassedInbound>(
	ctx: CommonContext,
	owner: BodyOwner,
	table: BodyTable<Row>,
): Promise<number> {
	let looked = 0;
	for (let page = 0; page < PAGES; page++) {
		const found = await blankNext(ctx, owner, table);
		looked += found;
		if (found < BATCH) break;
	}
	return looked;
}

async function blankNext<Row extends PassedInbound>(
	{ sql, clock }: CommonContext,
	owner: BodyOwner,
	{ scan, find, blank }: BodyTable<Row>,
): Promise<number> {
	const { organizationId } = owner;
	const step = await advanceScan(sql, {
		name: organizationId === undefined ? scan : `${scan}/${organizationId}`,
		findPage: async (after) => {
			const rows = await find(sql, owner, after || LOWEST_ID, clock(), BATCH);
			const last = rows.at(-1);
			return last && { rows, end: last.id };
		},
		work: (sql, { rows }) =>
			blank(
				sql,
				rows.filter(({ isOwn }) => isOwn),
			),
	});
	return step?.page.rows.length ?? 0;
}
