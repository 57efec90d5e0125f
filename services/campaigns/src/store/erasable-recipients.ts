import type { Tx } from "@airtower/platform/database/database";
import type {
	ErasableTable,
	Subject,
} from "@airtower/platform/privacy/erasable-table";
import { OUTCOME_WAIT_MS } from "../domain/campaign-state.ts";
import { addProgress } from "./campaign-progress.ts";

interface CampaignRow {
	readonly id: string;
	/** True while outcomes are waited for, which find a recipient by the number. */
	readonly isOpen: boolean;
}

interface ErasedCounts {
	readonly erased: number;
	readonly skipped: number;
}

/** Campaigns of one step. */
const CAMPAIGNS = 100;
/** Recipients of one step and campaign. */
const RECIPIENTS = 5_000;

/** A recipient stays with its result; one that was not sent to yet is skipped, one that was waits for its outcome. */
export const erasableRecipients: ErasableTable = {
	name: "recipients",
	erase: async (sql, subject, after) => {
		const campaigns = await findCampaigns(sql, subject, after);
		let erased = 0;
		let pending = 0;
		let next: string | undefined;
		for (const campaign of campaigns) {
			const counts = await eraseRecipients(sql, campaign, subject);
			const duplicates = await eraseDuplicates(sql, campaign, subject);
			erased += counts.erased + duplicates;
			if (counts.erased === RECIPIENTS || duplicates >= RECIPIENTS)
				return { erased, pending, next: next ?? after };
			pending += await countPending(sql, campaign, subject);
			next = campaign.id;
		}
		return { erased, pending, next };
	},
};

async function findCampaigns(
	sql: Tx,
	{ organizationId }: Subject,
	after: string,
): Promise<CampaignRow[]> {
	// One that was cancelled has ended, and counts the outcomes of what it had sent.
	return sql<CampaignRow[]>`
		select
			id,
			completed_at is null or (
				status = 'cancelled'
				and completed_at > now() - ${OUTCOME_WAIT_MS} * interval '1 millisecond'
			) as "isOpen"
		from campaigns
		where ${after === "" ? sql`true` : sql`id > ${after}`}
		and ${organizationId === undefined ? sql`true` : sql`organization_id = ${organizationId}`}
		order by id
		limit ${CAMPAIGNS}
	`;
}

async function eraseRecipients(
	sql: Tx,
	{ id, isOpen }: CampaignRow,
	subject: Subject,
): Promise<ErasedCounts> {
	const [counts = { erased: 0, skipped: 0 }] = await sql<ErasedCounts[]>`
		with found as materialized (
			select phone
			from recipients
			where campaign_id = ${id}
			and ${isSubject(sql, subject)}
			and not (${isOpen} and state = 'accepted')
			limit ${RECIPIENTS}
			for update
		),
		erased as (
			update recipients
			set
				-- A list may hold any text in place of a number: nobody can write this one beforehand.
				phone = 'erased-' || uuidv4(),
				name = '',
				state = case state when 'pending' then 'skipped' else state end,
				reason = case state when 'pending' then 'erased' else reason end
			where campaign_id = ${id}
			and phone = any(array(select phone from found))
			returning old.state
		)
		select
			count(*) as erased,
			count(*) filter (where state = 'pending') as skipped
		from erased
	`;
	const { skipped } = counts;
	if (skipped > 0) await addProgress(sql, id, { skipped });
	return counts;
}

async function eraseDuplicates(
	sql: Tx,
	{ id }: CampaignRow,
	subject: Subject,
): Promise<number> {
	const erased = await sql`
		update recipient_duplicates
		set phone = 'erased-duplicate-' || sequence
		where campaign_id = ${id}
		and phone = any(array(
			select phone
			from recipient_duplicates
			where campaign_id = ${id}
			and ${isSubject(sql, subject)}
			limit ${RECIPIENTS}
			for update
		))
	`;
	return erased.count;
}

async function countPending(
	sql: Tx,
	{ id, isOpen }: CampaignRow,
	subject: Subject,
): Promise<number> {
	if (!isOpen) return 0;
	const [row] = await sql<[{ count: number }]>`
		select count(*) as count
		from recipients
		where campaign_id = ${id}
		and ${isSubject(sql, subject)}
		and state = 'accepted'
	`;
	return row.count;
}

function isSubject(sql: Tx, { phone }: Subject) {
	return phone === undefined
		? sql`phone not like 'erased-%'`
		: sql`phone = ${phone}`;
}
