import { byIndex } from "@airtower/platform/database/by-index";
import type { Queryable } from "@airtower/platform/database/database";
import { dueGroups } from "@airtower/platform/work/due-groups";
import {
	claimDue,
	type Fence,
	type GroupShares,
	type LeasedQueue,
	sharedGroups,
} from "@airtower/platform/work/leased-queue";
import { isNotSuspended } from "@airtower/platform/work/suspended-groups";
import type postgres from "postgres";
import { suspendedOrganizations } from "../suspended-organizations.ts";

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
	/** Routes that refused it since it waited last; null where none did. */
	readonly triedRoutes: readonly string[] | null;
	/** Validity left as it was claimed, by the database's clock, ms; 0 or less when it was over. */
	readonly validityMs: number;
	readonly recipient: string;
	readonly body: string;
	readonly senderValue: string;
	readonly clientReference: string | null;
	/** Null for an ordinary message. */
	readonly messageClass: string | null;
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

/** What a claim demands beside being due; a listed organization has at least one such row. */
const claimable = (sql: Queryable, organizationId: postgres.Fragment) => sql`
	and (not unknown or may_repeat)
	and ${isNotSuspended(sql, suspendedOrganizations, organizationId)}
`;

/** Organizations with claimable messages, beginning after the given one. */
export async function listDueOrganizations(
	sql: Queryable,
	route: string,
	after: string,
	limit: number,
): Promise<string[]> {
	const rows = await byIndex(
		sql,
		(sql) => sql<{ id: string }[]>`
		with recursive
		${dueGroups(sql, dispatchQueue, {
			within: sql`route = ${route}`,
			claimable: claimable(sql, sql`groups.id`),
			after,
			limit,
		})}
		select id
		from due_groups
		order by nth
	`,
	);
	return rows.map(({ id }) => id);
}

export interface ClaimOptions extends GroupShares {
	readonly route: string;
	readonly token: string;
	/** Most segments: the last message may go beyond. */
	readonly limit: number;
}

export async function claimMessages(
	sql: Queryable,
	{ route, token, limit, ...shares }: ClaimOptions,
): Promise<ClaimedMessage[]> {
	return byIndex(
		sql,
		(sql) => sql<ClaimedMessage[]>`
		with due_groups as materialized ${sharedGroups(sql, shares)},
		claimed as (
			${claimDue(sql, dispatchQueue, {
				token,
				limit,
				groups: sql`due_groups`,
				where: sql`
					and route = ${route}
					${claimable(sql, sql`due_groups.id`)}
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
			tried_routes as "triedRoutes",
			extract(epoch from expires_at - clock_timestamp())::float8 * 1000 as "validityMs",
			recipient,
			body,
			sender_value as "senderValue",
			client_reference as "clientReference",
			message_class as "messageClass",
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
		order by nth
	`,
	);
}

/** Read once a claim, from the sequence: receipts that were applied leave no row. */
const lastReceipt = (sql: Queryable) => sql`(
	select coalesce(pg_sequence_last_value('receipts_id_seq'), 0)
)`;
