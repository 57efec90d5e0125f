import { byIndex } from "@airtower/platform/database/by-index";
import type { Queryable } from "@airtower/platform/database/database";
import { claimDue } from "@airtower/platform/work/claim-due";
import { dueGroups } from "@airtower/platform/work/due-groups";
import { isNotHeld } from "@airtower/platform/work/held-organizations";
import type { Fence, LeasedQueue } from "@airtower/platform/work/leased-queue";

/** A row leaves when the operator has taken or refused the message. Its claim marks it as submitting. */
export const dispatchQueue: LeasedQueue<"messageId"> = {
	table: "dispatch",
	key: { messageId: "message_id" },
	group: "organization_id",
	weight: "segments",
};

export type MessageFence = Fence<"messageId">;

export interface ClaimedMessage extends MessageFence {
	readonly organizationId: string;
	readonly unsent: number;
	readonly refusals: number;
	readonly unclear: boolean;
	readonly sessionRefusals: number;
	readonly resent: boolean;
	/** Validity left as it was claimed, by the database's clock, ms; 0 or less when it was over. */
	readonly validityMs: number;
	readonly recipient: string;
	readonly body: string;
	readonly senderValue: string;
	readonly segments: number;
	readonly concatReference: number;
	/** Null for a message that is not traced. */
	readonly traceparent: string | null;
	/** Parts that the operator took in earlier attempts; null when it took none. */
	readonly takenParts: readonly number[] | null;
	readonly partCount: number | null;
	/** The last receipt that was stored before the claim. */
	readonly receiptsBefore: number;
}

export interface ClaimOptions {
	readonly route: string;
	readonly token: string;
	readonly limit: number;
	readonly after: string;
}

export async function claimMessages(
	sql: Queryable,
	{ route, token, limit, after }: ClaimOptions,
): Promise<ClaimedMessage[]> {
	const within = sql`route = ${route}`;
	return byIndex(
		sql,
		(sql) => sql<ClaimedMessage[]>`
		with recursive
		${dueGroups(sql, dispatchQueue, { within, after, limit })},
		claimed as (
			${claimDue(sql, dispatchQueue, {
				token,
				limit,
				groups: sql`due_groups`,
				where: sql`
					and ${within}
					and (not unknown or may_repeat)
					and ${isNotHeld(sql, sql`due_groups.id`)}
				`,
				set: sql`,
					resent = resent or unknown,
					unknown = false,
					may_repeat = false,
					sent_at = now(),
					receipts_before = ${lastReceipt(sql)}
				`,
			})}
		)
		select
			claimed.message_id as "messageId",
			claimed.organization_id as "organizationId",
			token,
			attempt,
			unsent,
			refusals,
			unclear,
			session_refusals as "sessionRefusals",
			resent,
			extract(epoch from expires_at - clock_timestamp())::float8 * 1000 as "validityMs",
			recipient,
			body,
			sender_value as "senderValue",
			messages.segments,
			concat_reference as "concatReference",
			traceparent,
			taken.numbers as "takenParts",
			taken.part_count as "partCount",
			receipts_before as "receiptsBefore"
		from claimed
		join due_groups on due_groups.id = claimed.organization_id
		join messages on messages.id = claimed.message_id
		left join lateral (
			select array_agg(number order by number) as numbers, max(part_count) as part_count
			from parts
			where parts.message_id = claimed.message_id
			and claimed.attempt > 1
		) as taken on true
		order by place
	`,
	);
}

/** Read once a claim, from the sequence: receipts that were applied leave no row. */
const lastReceipt = (sql: Queryable) => sql`(
	select coalesce(pg_sequence_last_value('receipts_id_seq'), 0)
)`;
