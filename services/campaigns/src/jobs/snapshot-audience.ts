import { type Tx, transaction } from "@airtower/platform/database/database";
import { fault } from "@airtower/platform/runtime/fault";
import { normalizePhoneNumber } from "@airtower/proto/rules/phone-number";
import type { CampaignsContext } from "../context.ts";
import {
	addProgress,
	holdLease,
	type Leased,
	releaseCampaign,
	updateSnapshot,
} from "../store/campaigns.ts";
import { takeRecipientImport } from "../store/recipient-imports.ts";
import {
	insertRecipients,
	insertSkippedRecipients,
	lastContactId,
	snapshotContacts,
} from "../store/recipients.ts";
import { LEASE_MS } from "./lease.ts";

/** Contacts looked at in one transaction. */
const STEP_CONTACTS = 5_000;

/** Steps in one turn: a large campaign then goes behind the others that are due. */
const STEPS_PER_TURN = 10;

/**
 * Copies the audience into the campaign, one transaction a step, each with its own progress: a crash
 * goes on where it stopped. Answers the campaign with its audience, undefined when the lease has
 * passed on, the turn is over or the service stops.
 */
export async function snapshotAudience(
	ctx: CampaignsContext,
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
	const current = await holdLease(sql, campaign, LEASE_MS);
	if (current === undefined) return undefined;
	const done =
		current.audienceTags.length > 0
			? await takeContacts(sql, current)
			: await takeImport(sql, current);
	return { ...current, snapshotDone: done };
}

async function takeContacts(sql: Tx, campaign: Leased): Promise<boolean> {
	const until = campaign.snapshotUntil ?? (await lastContactId(sql));
	const { inserted, last } = await snapshotContacts(sql, {
		campaignId: campaign.id,
		organizationId: campaign.organizationId,
		tags: campaign.audienceTags,
		matchMode: campaign.audienceTagMatchMode,
		after: campaign.snapshotAfter,
		until,
		limit: STEP_CONTACTS,
	});
	const done = last === undefined;
	await addProgress(sql, campaign.id, { audience: inserted });
	await updateSnapshot(sql, campaign.id, {
		after: last ?? campaign.snapshotAfter,
		until,
		done,
	});
	return done;
}

/** A number that is no number, and one given twice, count as skipped. */
async function takeImport(sql: Tx, campaign: Leased): Promise<boolean> {
	const given = await takeRecipientImport(sql, campaign.id);
	const done = given === undefined;
	if (!done) {
		const valid: string[] = [];
		const invalid: string[] = [];
		for (const text of given) {
			const phone = normalizePhoneNumber(text, campaign.defaultCountry);
			if (phone === undefined) invalid.push(text);
			else valid.push(phone);
		}
		const inserted = await insertRecipients(sql, campaign.id, valid);
		await insertSkippedRecipients(
			sql,
			campaign.id,
			invalid,
			"invalid_phone_number",
		);
		await addProgress(sql, campaign.id, {
			audience: given.length,
			skipped: given.length - inserted,
		});
	}
	await updateSnapshot(sql, campaign.id, { after: 0, until: null, done });
	return done;
}
