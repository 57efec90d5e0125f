import { type Tx, transaction } from "@airtower/platform/database/database";
import { fault } from "@airtower/platform/runtime/fault";
import { normalizePhoneNumber } from "@airtower/proto/rules/phone-number";
import type { Context } from "../context.ts";
import {
	findLastContactId,
	insertRecipients,
	insertSkippedRecipients,
	snapshotContacts,
} from "../store/audience.ts";
import {
	holdLease,
	type Leased,
	releaseCampaign,
} from "../store/campaign-leases.ts";
import { addProgress, updateSnapshot } from "../store/campaign-progress.ts";
import { takeRecipientImport } from "../store/recipient-imports.ts";

/** Contacts looked at in one transaction. */
const STEP_CONTACTS = 5_000;
/** Steps in one turn: a large campaign then goes behind the others that are due. */
const STEPS_PER_TURN = 10;

/**
 * Copies the audience into the campaign, one transaction a step, each with its own progress: after a crash
 * it goes on where it stopped. Returns the campaign with its audience, undefined when the lease has passed on,
 * the turn is over or the service stops.
 */
export async function snapshotAudience(
	ctx: Context,
	campaign: Leased,
	signal: AbortSignal,
): Promise<Leased | undefined> {
	let current: Leased | undefined = campaign;
	for (let step = 0; current !== undefined; step++) {
		if (current.snapshotDone) return current;
		if (step === STEPS_PER_TURN || signal.aborted) {
			await releaseCampaign(ctx.sql, campaign, 0);
			return undefined;
		}
		current = await transaction(ctx.sql, (sql) => takeStep(sql, campaign));
		fault("campaigns.after_snapshot_step");
	}
	return undefined;
}

async function takeStep(
	sql: Tx,
	campaign: Leased,
): Promise<Leased | undefined> {
	const current = await holdLease(sql, campaign);
	if (current === undefined) return undefined;
	const snapshotDone =
		current.audienceTags.length > 0
			? await takeContacts(sql, current)
			: await takeImport(sql, current);
	return { ...current, snapshotDone };
}

/** Returns true when no contact was left. */
async function takeContacts(sql: Tx, campaign: Leased): Promise<boolean> {
	const { id, snapshotAfter } = campaign;
	const until = campaign.snapshotUntil ?? (await findLastContactId(sql));
	const { inserted, last } = await snapshotContacts(sql, {
		campaignId: id,
		organizationId: campaign.organizationId,
		tags: campaign.audienceTags,
		matchMode: campaign.audienceTagMatchMode,
		after: snapshotAfter,
		until,
		limit: STEP_CONTACTS,
	});
	const done = last === undefined;
	await addProgress(sql, id, { audience: inserted });
	await updateSnapshot(sql, id, { after: last ?? snapshotAfter, until, done });
	return done;
}

/** Returns true when nothing was left. A text that is no number, and a number given twice, count as skipped. */
async function takeImport(sql: Tx, campaign: Leased): Promise<boolean> {
	const { id, defaultCountry } = campaign;
	const given = await takeRecipientImport(sql, id);
	if (given !== undefined) {
		const read = given.map((text) => ({
			text,
			phone: normalizePhoneNumber(text, defaultCountry),
		}));
		const phones = read.flatMap(({ phone }) => phone ?? []);
		const inserted = await insertRecipients(sql, id, phones);
		const invalid = read.filter(({ phone }) => phone === undefined);
		await insertSkippedRecipients(
			sql,
			id,
			invalid.map(({ text }) => text),
			"invalid_phone_number",
		);
		await addProgress(sql, id, {
			audience: given.length,
			skipped: given.length - inserted,
		});
	}
	const done = given === undefined;
	await updateSnapshot(sql, id, { after: 0, until: null, done });
	return done;
}
