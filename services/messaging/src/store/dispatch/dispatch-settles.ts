import type { Tx } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import { isOwned, ownedRows } from "@airtower/platform/work/leased-queue";
import type { RecordedAttempt } from "../message-updates.ts";
import { idRange } from "../messages.ts";
import { lockRemoved } from "../routes/routes.ts";
import { dispatchQueue, type MessageFence } from "./dispatch-claims.ts";
import { hasNoParts } from "./waiting-dispatch.ts";

type ClaimNumber = Pick<MessageFence, "messageId" | "attempt">;

export function claimKey({ messageId, attempt }: ClaimNumber): string {
	return `${messageId} ${attempt}`;
}

export interface SettledClaim extends ClaimNumber {
	/** True when others had declared the message unknown, and noted its submit as one without a response. */
	readonly wasUnknown: boolean;
	readonly settledAt: Date;
	readonly route: string;
}

/** A row that others declared unknown is still settled by a response that came meanwhile, until it is claimed again. */
const unknownRows = (sql: Tx) => sql`work.unknown`;

export async function deleteDispatched(
	sql: Tx,
	fences: readonly MessageFence[],
): Promise<SettledClaim[]> {
	if (fences.length === 0) return [];
	return sql<SettledClaim[]>`
		delete from dispatch as work
		using ${ownedRows(sql, dispatchQueue, fences)}
		where ${isOwned(sql, dispatchQueue, unknownRows(sql))}
		returning work.message_id as "messageId", work.attempt, old.unknown as "wasUnknown", work.route, now() as "settledAt"
	`;
}

export interface Postponement extends MessageFence {
	readonly unknown: boolean;
	/** Whether it may be claimed although it is unknown: its parked receipts were looked at just now. */
	readonly mayRepeat: boolean;
	/** Null: it does not go again, and ends after `deadlineMs`, or with its validity. */
	readonly delayMs: number | null;
	/** It is due as it was. */
	readonly keepsPlace: boolean;
	readonly deadlineMs: number | null;
	readonly unsent: number;
	/** False where the claim that is over sent nothing: it is no possible duplicate by that. */
	readonly resent: boolean;
	readonly refusals: number;
	readonly unclear: boolean;
	readonly sessionRefusals: number;
	/** Joined by spaces; null for none. */
	readonly triedRoutes: string | null;
}

/** Puts rows back to wait whose attempt is over; returns the claims whose fence still matched. */
export async function postponeDispatch(
	sql: Tx,
	rows: readonly Postponement[],
): Promise<SettledClaim[]> {
	if (rows.length === 0) return [];
	const owned = ownedRows(sql, dispatchQueue, rows, {
		unknown: "boolean",
		mayRepeat: "boolean",
		delayMs: "float8",
		keepsPlace: "boolean",
		deadlineMs: "float8",
		unsent: "integer",
		resent: "boolean",
		refusals: "integer",
		unclear: "boolean",
		sessionRefusals: "smallint",
		triedRoutes: "text",
	});
	const end = sql`least(expires_at, now() + owned.deadline_ms * interval '1 millisecond')`;
	return sql<SettledClaim[]>`
		update dispatch as work
		set
			token = null,
			due_at = case
				when owned.keeps_place then work.due_at
				else coalesce(now() + owned.delay_ms * interval '1 millisecond', ${end})
			end,
			expires_at = case when owned.delay_ms is null then ${end} else expires_at end,
			unknown = owned.unknown,
			may_repeat = owned.may_repeat,
			unsent = owned.unsent,
			resent = owned.resent,
			refusals = owned.refusals,
			unclear = owned.unclear,
			session_refusals = owned.session_refusals,
			tried_routes = string_to_array(owned.tried_routes, ' ')
		from ${owned}
		where ${isOwned(sql, dispatchQueue, unknownRows(sql))}
		returning work.message_id as "messageId", work.attempt, old.unknown as "wasUnknown", work.route, now() as "settledAt"
	`;
}

export const queuedAttempts = (sql: Tx) => sql`
	message_id as id,
	attempt - unsent as attempts,
	resent as "possibleDuplicate"
`;

/** Whoever holds them: their end came by a receipt. */
export async function deleteDispatch(
	sql: Tx,
	messageIds: readonly string[],
): Promise<RecordedAttempt[]> {
	if (messageIds.length === 0) return [];
	return sql<RecordedAttempt[]>`
		delete from dispatch
		where message_id = any(${[...messageIds]}::uuid[])
		returning ${queuedAttempts(sql)}
	`;
}

/** Takes a message out of the queue that waits and was never given to an operator; false where there is none such. */
export async function deleteUnsent(
	sql: Tx,
	organizationId: string,
	messageId: string,
): Promise<boolean> {
	const deleted = await sql`
		delete from dispatch
		where message_id = ${messageId}
		and organization_id = ${organizationId}
		and token is null
		and attempt = unsent
		and not unknown
	`;
	return deleted.count > 0;
}

export interface Move {
	readonly messageId: string;
	readonly from: string;
	readonly to: string;
	/** Of the rules that chose; null before there were any. */
	readonly rulesVersion: number | null;
	/** Least wait from now on, ms; above 0 its attempt is over, so that it may go back to what refused it. */
	readonly waitMs: number;
}

/**
 * Gives waiting messages to other routes; returns how many. One that somebody else holds or has moved stays, as does one
 * of which an operator has a part by now, or whose new route was removed; a removal waits for this. What waited for its
 * route alone is due at once; what waits after a refusal goes on waiting.
 */
export async function moveMessages(
	sql: Tx,
	moves: readonly Move[],
): Promise<number> {
	if (moves.length === 0) return 0;
	const ids = moves.map(({ messageId }) => messageId);
	const routes = [...new Set(moves.map(({ to }) => to))];
	const isWaiting = sql`token is null and (not unknown or may_repeat)`;
	const moved = await sql<MessageRoute[]>`
		with removed as materialized (${lockRemoved(sql, routes)})
		update dispatch as work
		set
			route = given.to_route,
			due_at = case
				when given.wait_ms > 0
					then greatest(due_at, now() + given.wait_ms * interval '1 millisecond')
				when refusals = 0 and not unclear then least(due_at, now())
				else due_at
			end,
			tried_routes = case when given.wait_ms > 0 then null else tried_routes end
		from ${unnest(
			sql,
			moves,
			{
				messageId: "uuid",
				from: "text",
				to: "text",
				rulesVersion: "integer",
				waitMs: "float8",
			},
			{ names: { from: "from_route", to: "to_route" } },
		)}
		where work.message_id = given.message_id
		and work.message_id = any(array(
			select message_id
			from dispatch
			where message_id = any(${ids}::uuid[])
			and ${isWaiting}
			and ${hasNoParts(sql)}
			for update skip locked
		))
		and work.route = given.from_route
		and ${isWaiting}
		and given.to_route not in (table removed)
		returning work.message_id as id, work.route, given.rules_version as "rulesVersion"
	`;
	await updateRoutes(sql, moved);
	return moved.length;
}

export interface MessageRoute {
	readonly id: string;
	readonly route: string;
	/** Null: as it is. */
	readonly rulesVersion: number | null;
}

/** Tells which routes these messages have now. */
export async function updateRoutes(
	sql: Tx,
	routes: readonly MessageRoute[],
): Promise<void> {
	if (routes.length === 0) return;
	const { first, last } = idRange(routes.map(({ id }) => id));
	await sql`
		update messages
		set
			first_route = coalesce(first_route, messages.route),
			route = given.route,
			rules_version = coalesce(given.rules_version, messages.rules_version)
		from ${unnest(sql, routes, {
			id: "uuid",
			route: "text",
			rulesVersion: "integer",
		})}
		where messages.id = given.id
		and messages.id between ${first} and ${last}
	`;
}
