import type { Queryable, Tx } from "@airtower/platform/database/database";
import type { PendingRecipient } from "./recipients.ts";

/** A batch that may have been sent and whose results are not stored. */
export interface SentBatch {
	readonly id: string;
	/** Places of its recipients in the snapshot. */
	readonly sequences: readonly number[];
	/** Units of the quota share that it reserves; null where campaigns may use all there is. */
	readonly share: number | null;
}

export async function insertSentBatch(
	sql: Tx,
	campaignId: string,
	{ id, sequences, share }: SentBatch,
): Promise<void> {
	await sql`
		insert into sent_batches (id, campaign_id, sequences, share)
		values (${id}, ${campaignId}, ${[...sequences]}::bigint[], ${share})
	`;
}

/** Up to so many batches of a campaign, drawn at random. */
export async function findSentBatches(
	sql: Queryable,
	campaignId: string,
	limit: number,
): Promise<SentBatch[]> {
	return sql<SentBatch[]>`
		select id, sequences, share
		from sent_batches
		where campaign_id = ${campaignId}
		order by random()
		limit ${limit}
	`;
}

/** Its recipients that have no result yet. */
export async function findUnsettled(
	sql: Queryable,
	campaignId: string,
	sequences: readonly number[],
): Promise<PendingRecipient[]> {
	return sql<PendingRecipient[]>`
		select found.*
		from unnest(${[...sequences]}::bigint[]) as given (sequence)
		cross join lateral (
			select phone, name, sequence
			from recipients
			where campaign_id = ${campaignId}
			and state = 'pending'
			and recipients.sequence = given.sequence
			limit 1
		) as found
		order by sequence
	`;
}

/**
 * Keeps only the recipients of a batch that have no result yet, and the units that these may still need; without any
 * the batch is over. Returns the units that are free; 0 when somebody else has settled it.
 * @param paid units that its messages have used
 */
export async function settleSentBatch(
	sql: Tx,
	id: string,
	open: readonly number[],
	paid: number,
): Promise<number> {
	const [settled] =
		open.length === 0
			? await sql<[{ share: number | null }?]>`
				delete from sent_batches
				where id = ${id}
				returning share
			`
			: await sql<[{ share: number | null }?]>`
				update sent_batches
				set
					sequences = ${[...open]}::bigint[],
					share = least(share, ${open.length})
				where id = ${id}
				returning old.share
			`;
	const share = settled?.share ?? 0;
	return Math.max(0, share - paid - open.length);
}

/** Lets the batches of these organizations give nothing back of what they have reserved. */
export async function forgetReserved(
	sql: Tx,
	organizationIds: readonly string[],
): Promise<void> {
	if (organizationIds.length === 0) return;
	await sql`
		update sent_batches
		set share = null
		where campaign_id = any(array(
			select id
			from campaigns
			where organization_id = any(${organizationIds}::uuid[])
			and completed_at is null
		))
		and share is not null
	`;
}
