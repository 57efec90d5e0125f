import { type Tx, transaction } from "@airtower/platform/database/database";
import { fault } from "@airtower/platform/runtime/fault";
import type { Context } from "../context.ts";
import { readNumbers } from "../domain/given-numbers.ts";
import {
	findLastContactId,
	insertDuplicates,
	insertInvalidRecipients,
	insertRecipients,
	snapshotContacts,
} from "../store/audience.ts";
import {
	holdLease,
	type Leased,
	releaseCampaign,
} from "../store/campaign-leases.ts";
import { addProgress, updateSnapshot } from "../store/campaign-progress.ts";
import { takeRecipientImport } from "../store/recipient-imports.ts";

const CONTACTS_PER_STEP = 5_000;
/** A large campaign then goes behind the others that are due. */
const STEPS_PER_TURN = 10;

/** Copies the audience into the campaign; undefined when the lease has passed on or the round is over. */
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

async function takeContacts(sql: Tx, campaign: Leased): Promise<boolean> {
	const { id, snapshotAfter } = campaign;
	const until = campaign.snapshotUntil ?? (await findLastContactId(sql));
	const { inserted, last } = await snapshotContacts(sql, id, {
		organizationId: campaign.organizationId,
		tags: campaign.audienceTags,
		matchMode: campaign.audienceTagMatchMode,
		after: snapshotAfter,
		until,
		limit: CONTACTS_PER_STEP,
	});
	const done = last === null;
	await addProgress(sql, id, { audience: inserted });
	await updateSnapshot(sql, id, { after: last ?? snapshotAfter, until, done });
	return done;
}

async function takeImport(sql: Tx, campaign: Leased): Promise<boolean> {
	const { id, defaultCountry } = campaign;
	const given = await takeRecipientImport(sql, id);
	const done = given === undefined;
	if (!done) await insertGiven(sql, id, given, defaultCountry);
	await updateSnapshot(sql, id, { after: 0, until: null, done });
	return done;
}

async function insertGiven(
	sql: Tx,
	campaignId: string,
	given: readonly string[],
	country: string,
): Promise<void> {
	const { phones, invalid } = readNumbers(given, country);
	const inserted = await insertRecipients(sql, campaignId, phones);
	const refused = await insertInvalidRecipients(sql, campaignId, invalid);
	const duplicates = leftOf([...phones, ...invalid], [...inserted, ...refused]);
	await insertDuplicates(sql, campaignId, duplicates);
	await addProgress(sql, campaignId, {
		audience: given.length,
		skipped: refused.length + duplicates.length,
		duplicates: duplicates.length,
	});
}

/** All of the given ones, but each that was taken once less. */
function leftOf(given: readonly string[], taken: readonly string[]): string[] {
	const once = new Set(taken);
	return given.filter((one) => !once.delete(one));
}
