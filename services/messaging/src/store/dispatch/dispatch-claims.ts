import { byIndex } from "@airtower/platform/database/by-index";
import type { Queryable } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import {
	claimDue,
	dueGroups,
	type Fence,
	type LeasedQueue,
} from "@airtower/platform/work/leased-queue";
import { isNotSuspended } from "@airtower/platform/work/suspended-groups";
import type postgres from "postgres";
import type { Lane } from "../../domain/lanes.ts";
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
	readonly route: string;
	readonly lane: Lane;
	readonly unsent: number;
	readonly refusals: number;
	readonly unclear: boolean;
	readonly sessionRefusals: number;
	readonly resent: boolean;
	/** Routes that refused it since it waited last; null where none did. */
	readonly triedRoutes: readonly string[] | null;
	/** How long it had been due when it was claimed, by the database's clock, ms. */
	readonly waitedMs: number;
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
	/** How the text was split into them; null where it is not known. */
	readonly split: number | null;
	/** The last receipt that was stored before the claim. */
	readonly receiptsBefore: number;
}

/** What a claim demands beside being due; a listed organization has at least one such row. */
export const claimable = (
	sql: Queryable,
	organizationId: postgres.Fragment,
) => sql`
	and (not unknown or may_repeat)
	and ${isNotSuspended(sql, suspendedOrganizations, organizationId)}
`;

/** The first column of the index by which claims are made, see {@link queueName}. */
const laneQueue = (sql: Queryable, of: postgres.Fragment = sql``) =>
	sql`(${of}lane::text || ' ' || ${of}route)`;

function queueName(route: string, lane: Lane): string {
	return `${lane} ${route}`;
}

/** Where the list of a lane's organizations begins, and how many it has at most. */
export interface LaneStart {
	readonly lane: Lane;
	readonly after: string;
	readonly most: number;
}

interface RouteLaneStart extends LaneStart {
	readonly route: string;
}

export interface DueOrganization {
	readonly lane: Lane;
	readonly organizationId: string;
}

interface RouteDueOrganization extends DueOrganization {
	readonly route: string;
}

/** Organizations with claimable messages in these lanes of routes, of each those after the given one. */
export async function listDueOrganizations(
	sql: Queryable,
	lanes: readonly RouteLaneStart[],
): Promise<RouteDueOrganization[]> {
	return byIndex(
		sql,
		(sql) => sql<RouteDueOrganization[]>`
		select wanted.route, wanted.lane, due.id as "organizationId"
		from ${unnest(
			sql,
			lanes.map((one) => ({
				...one,
				queue: queueName(one.route, one.lane),
			})),
			{
				route: "text",
				lane: "smallint",
				queue: "text",
				after: "uuid",
				most: "integer",
			},
			{ as: "wanted" },
		)}
		cross join lateral (
			with recursive
			${dueGroups(sql, dispatchQueue, {
				within: sql`${laneQueue(sql)} = wanted.queue`,
				claimable: claimable(sql, sql`groups.id`),
				after: sql`wanted.after`,
				limit: sql`wanted.most`,
			})}
			select id, nth
			from due_groups
		) as due
		order by wanted.route, wanted.lane, due.nth
	`,
	);
}

/** An organization's part of a claim. */
export interface OrganizationShare extends DueOrganization {
	/** Most messages. */
	readonly share: number;
}

/** What one route claims. */
export interface RouteClaim {
	readonly route: string;
	/** In the order of the claim. */
	readonly organizations: readonly OrganizationShare[];
	/** Most segments: the last message may go beyond. */
	readonly limit: number;
}

/**
 * Claims for several routes at once.
 * @param claims no two of them for the same route, for each would return what both have claimed
 */
export async function claimMessages(
	sql: Queryable,
	token: string,
	claims: readonly RouteClaim[],
): Promise<ClaimedMessage[]> {
	const given = claims
		.flatMap(({ route, organizations, limit }, claim) =>
			organizations.map((one) => {
				const queue = queueName(route, one.lane);
				return { ...one, queue, claim, most: limit };
			}),
		)
		.map((one, nth) => ({ ...one, nth }));
	return byIndex(
		sql,
		(sql) => sql<ClaimedMessage[]>`
		with due_groups as materialized (
			select queue, organization_id as id, share, claim, most, nth
			from ${unnest(sql, given, {
				queue: "text",
				organizationId: "uuid",
				share: "bigint",
				claim: "integer",
				most: "bigint",
				nth: "integer",
			})}
		),
		claimed as (
			${claimDue(sql, dispatchQueue, {
				token,
				limit: sql`due_groups.most`,
				claim: sql`due_groups.claim`,
				groups: sql`due_groups`,
				where: sql`
					and ${laneQueue(sql)} = due_groups.queue
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
			claimed.lane,
			claimed.route,
			token,
			attempt,
			unsent,
			refusals,
			unclear,
			session_refusals as "sessionRefusals",
			resent,
			tried_routes as "triedRoutes",
			extract(epoch from now() - due_at)::float8 * 1000 as "waitedMs",
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
			taken.split,
			receipts_before as "receiptsBefore"
		from claimed
		join due_groups on due_groups.id = claimed.organization_id and due_groups.queue = ${laneQueue(sql, sql`claimed.`)}
		join messages on messages.id = claimed.message_id
		left join lateral (
			select array_agg(number order by number) as numbers, max(part_count) as part_count, max(split) as split
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
