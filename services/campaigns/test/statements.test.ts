import type { Db } from "@airtower/platform/database/database";
import {
	idOf,
	MANY,
	type Statements,
	testStatements,
} from "@airtower/platform/testing/statements";
import { migrations } from "../src/migrations.ts";
import {
	findAudienceContacts,
	insertDuplicates,
	snapshotContacts,
} from "../src/store/audience.ts";
import {
	cancelByRequest,
	pauseByRequest,
} from "../src/store/campaign-changes.ts";
import { claimDueCampaign } from "../src/store/campaign-leases.ts";
import {
	completeSettledCampaigns,
	wakePausedCampaigns,
} from "../src/store/campaign-progress.ts";
import { findCampaigns } from "../src/store/campaigns.ts";
import { findContacts, findContactsByTag } from "../src/store/contacts.ts";
import {
	blankNames,
	deleteRecipients,
	findOverdueNames,
	findOverdueNumbers,
} from "../src/store/kept-recipients.ts";
import {
	addShares,
	findShare,
	liftShares,
	takeShare,
} from "../src/store/quota-shares.ts";
import { findRecipients } from "../src/store/recipient-lists.ts";
import {
	applyResults,
	findUnsentRecipients,
	hasPendingRecipients,
	skipPending,
} from "../src/store/recipients.ts";
import {
	findSentBatches,
	findUnsettled,
	forgetReserved,
	settleSentBatch,
} from "../src/store/sent-batches.ts";

const BATCH = 200;
/** Rows read and index searches for one recipient; what grows with the tables takes hundreds. */
const MOST_PER_RECIPIENT = 12;

const organizationId = idOf(1);
const campaignId = idOf(1);
const batch = Array.from({ length: BATCH }, (_, nth) => phone(MANY / 2 + nth));
const page = { limit: BATCH, after: undefined };
const wanted = {
	limit: BATCH,
	after: { phone: phone(MANY / 2), duplicate: 0 },
};
const range = {
	organizationId,
	tags: ["gold", "new"],
	after: MANY / 2,
	until: MANY,
	limit: BATCH,
};

/** The nth campaign. */

function phone(nth: number): string {
	return `+3361${2_000_000 + nth}`;
}

const STATEMENTS: Statements = {
	findSentBatches: (sql) => findSentBatches(sql, idOf(MANY / 2), BATCH),
	settleSentBatch: (sql) => settleSentBatch(sql, idOf(MANY / 2), [], 0),
	findUnsettled: (sql) =>
		findUnsettled(
			sql,
			campaignId,
			Array.from({ length: BATCH }, (_, nth) => MANY / 2 + nth),
		),
	insertDuplicates: (sql) => insertDuplicates(sql, campaignId, batch),
	hasPendingRecipients: (sql) => hasPendingRecipients(sql, campaignId),
	findUnsentRecipients: (sql) =>
		findUnsentRecipients(sql, campaignId, {
			after: MANY / 2,
			limit: BATCH,
		}),
	"applyResults of a call": (sql) =>
		applyResults(
			sql,
			campaignId,
			batch.map((phone) => ({
				phone,
				state: "accepted",
				messageId: campaignId,
			})),
		),
	"applyResults of outcomes": (sql) =>
		applyResults(
			sql,
			campaignId,
			batch.map((phone) => ({
				phone,
				state: "delivered",
				messageId: campaignId,
			})),
		),
	"snapshotContacts of all tags": (sql) =>
		snapshotContacts(sql, idOf(2), { ...range, matchMode: "all" }),
	"snapshotContacts of any tag": (sql) =>
		snapshotContacts(sql, idOf(2), { ...range, matchMode: "any" }),
	"findAudienceContacts of all tags": (sql) =>
		findAudienceContacts(sql, { ...range, matchMode: "all" }),
	"findAudienceContacts of any tag": (sql) =>
		findAudienceContacts(sql, { ...range, matchMode: "any" }),
	findContacts: (sql) => findContacts(sql, organizationId, page),
	findContactsByTag: (sql) =>
		findContactsByTag(sql, organizationId, "gold", page),
	findCampaigns: (sql) => findCampaigns(sql, organizationId, page),
	claimDueCampaign: (sql) => claimDueCampaign(sql, campaignId),
	wakePausedCampaigns: (sql) => wakePausedCampaigns(sql, [organizationId]),
	"findRecipients of a status": (sql) =>
		findRecipients(sql, campaignId, { ...wanted, status: "failed" }),
	"findRecipients that were left out": (sql) =>
		findRecipients(sql, campaignId, { ...wanted, status: "skipped" }),
	"findRecipients of all": (sql) =>
		findRecipients(sql, campaignId, { ...wanted, status: "" }),
	"findRecipients from the first on": (sql) =>
		findRecipients(sql, campaignId, {
			...wanted,
			status: "",
			after: undefined,
		}),
	skipPending: (sql) => skipPending(sql, campaignId, "cancelled", BATCH),
	// No organization has many campaigns that have not ended.
	forgetReserved: (sql) => forgetReserved(sql, [idOf(2)]),
	addShares: (sql) => addShares(sql, [{ organizationId, units: 1 }]),
	findShare: (sql) => findShare(sql, organizationId),
	takeShare: (sql) => takeShare(sql, organizationId, BATCH),
	liftShares: (sql) => liftShares(sql, [organizationId]),
	pauseByRequest: (sql) => pauseByRequest(sql, organizationId, campaignId),
	cancelByRequest: (sql) =>
		cancelByRequest(sql, organizationId, idOf(MANY / 2)),
	findOverdueNames: (sql) => findOverdueNames(sql, 30),
	findOverdueNumbers: (sql) => findOverdueNumbers(sql, 13),
	blankNames: (sql) => blankNames(sql, campaignId, phone(MANY / 2), BATCH),
	deleteRecipients: (sql) => deleteRecipients(sql, campaignId, BATCH),
	completeSettledCampaigns: (sql) =>
		completeSettledCampaigns(sql, [campaignId, idOf(MANY / 2)]),
};

testStatements({
	migrations,
	statements: STATEMENTS,
	fill: insertRows,
	queues: [],
	mostReads: BATCH * MOST_PER_RECIPIENT,
});

/** Campaigns and contacts of one organization, and as many recipients of the first campaign. */
async function insertRows(sql: Db, first: number, last: number): Promise<void> {
	const numbers = sql`generate_series(${first}::int, ${last}::int) as nth`;
	await sql`
		insert into campaigns (
			id, organization_id, name, message_template, sender_id, sender_name,
			audience_tag_match_mode, status, created_at, due_at
		)
		select
			('00000000-0000-7000-8000-' || lpad(nth::text, 12, '0'))::uuid,
			${organizationId}, 'Sale', 'Hi', ${organizationId}, 'Airtower',
			'all', 'sending', to_timestamp(nth), now()
		from ${numbers}
	`;
	await sql`
		insert into sent_batches (id, campaign_id, sequences)
		select id, id, '{1}'
		from (select ('00000000-0000-7000-8000-' || lpad(nth::text, 12, '0'))::uuid as id from ${numbers}) as made
	`;
	await sql`
		insert into recipients (campaign_id, phone)
		select ${campaignId}, '+3361' || 2000000 + nth
		from ${numbers}
	`;
	await sql`
		insert into recipient_duplicates (campaign_id, phone)
		select ${campaignId}, '+3361' || 2000000 + nth
		from ${numbers}
	`;
	await sql`
		with added as (
			insert into contacts (organization_id, name, phone, tags, created_at)
			select ${organizationId}, 'Ada', '+3361' || 2000000 + nth, '{gold,new}', to_timestamp(nth)
			from ${numbers}
			returning *
		)
		insert into contact_tags (organization_id, tag, created_at, contact_id)
		select organization_id, unnest(tags), created_at, id
		from added
	`;
}
