import { type Tx, transaction } from "@airtower/platform/database/database";
import { fault } from "@airtower/platform/runtime/fault";
import { uuidv7Time } from "@airtower/platform/runtime/ids";
import type { DeliveryContext } from "../delivery-context.ts";
import {
	type Dispatcher,
	FIRST_ORGANIZATION,
	LAST_ORGANIZATION,
	type ReadyMessage,
} from "../dispatching/dispatcher.ts";
import {
	type ClaimedRow,
	claimDispatch,
	findDueOrganizations,
	releaseClaims,
} from "../store/claims.ts";
import { lockLease } from "../store/dispatchers.ts";
import { findOutgoing } from "../store/messages.ts";
import { findTakenParts } from "../store/parts.ts";

type OwnedRow = ClaimedRow & Pick<ReadyMessage, "token" | "validUntil">;

/** Claims due messages for an operator that takes them, or gives back those it does not take. */
export async function claimMessages(
	ctx: DeliveryContext,
	dispatcher: Dispatcher,
): Promise<number> {
	const mustGiveBack =
		dispatcher.claimsInDoubt || dispatcher.isStuck(performance.now());
	if (mustGiveBack) await giveBackClaims(ctx, dispatcher);
	const room = dispatcher.room();
	if (room === 0) return 0;
	dispatcher.claimsInDoubt = true;
	const claimed = await claimFairly(ctx, dispatcher, room);
	if (claimed.length > 0) fault("messaging.after_claim");
	dispatcher.waitedMs = waitedMs(claimed, ctx.clock());
	dispatcher.push(await loadMessages(ctx, claimed));
	dispatcher.claimsInDoubt = false;
	if (claimed.length > 0) ctx.poke.dispatch();
	return claimed.length;
}

/** For how long the oldest message has waited for its first attempt, ms. */
function waitedMs(claimed: readonly OwnedRow[], now: Date): number {
	const since = claimed
		.filter(({ attempt, refusals }) => attempt === 1 && refusals === 0)
		.map(({ messageId }) => uuidv7Time(messageId).getTime());
	return Math.max(0, now.getTime() - Math.min(now.getTime(), ...since));
}

/**
 * Gives back what was claimed and not begun, for other processes or for later. A claim whose connection was
 * lost may still be about to commit: its end is waited for, or nobody would know of its rows.
 */
export async function giveBackClaims(
	ctx: DeliveryContext,
	dispatcher: Dispatcher,
): Promise<void> {
	// Once they are cleared nobody here knows of them: a give-back that fails is tried again.
	dispatcher.claimsInDoubt = true;
	dispatcher.clear();
	const token = ctx.lease.token();
	await transaction(ctx.sql, async (sql) => {
		await lockLease(sql, token);
		await releaseClaims(sql, token, dispatcher.operator.code);
	});
	dispatcher.claimsInDoubt = false;
}

/**
 * Every organization with due work gets the same share of a claim; when there are more of them than
 * messages to claim, they take turns from claim to claim.
 */
async function claimFairly(
	ctx: DeliveryContext,
	dispatcher: Dispatcher,
	room: number,
): Promise<OwnedRow[]> {
	const rows = await ctx.lease.claiming(
		(sql) => nextOrganizations(sql, dispatcher, room),
		async (sql, organizations, token) => {
			if (organizations.length === 0) return [];
			const askedAt = performance.now();
			const claimed = await claimDispatch(
				sql,
				dispatcher.operator.code,
				organizations,
				Math.ceil(room / organizations.length),
				token,
			);
			return claimed.map((row) => ({
				...row,
				token,
				validUntil: askedAt + row.validityMs,
			}));
		},
	);
	return rows ?? [];
}

async function nextOrganizations(
	sql: Tx,
	dispatcher: Dispatcher,
	limit: number,
): Promise<string[]> {
	const find = (after: string, upTo: string, limit: number) =>
		findDueOrganizations(sql, {
			route: dispatcher.operator.code,
			limit,
			after,
			upTo,
		});
	const start = dispatcher.claimAfter;
	const found = await find(start, LAST_ORGANIZATION, limit);
	if (found.length < limit && start !== FIRST_ORGANIZATION)
		found.push(
			...(await find(FIRST_ORGANIZATION, start, limit - found.length)),
		);
	dispatcher.claimAfter =
		found.length < limit
			? FIRST_ORGANIZATION
			: (found.at(-1) ?? FIRST_ORGANIZATION);
	return found;
}

async function loadMessages(
	ctx: DeliveryContext,
	claimed: readonly OwnedRow[],
): Promise<ReadyMessage[]> {
	if (claimed.length === 0) return [];
	const claimedBefore = claimed.filter((row) => row.attempt > 1);
	const [outgoing, parts] = await Promise.all([
		findOutgoing(ctx.sql, claimed.map(idOf)),
		findTakenParts(ctx.sql, claimedBefore.map(idOf)),
	]);
	const messages = new Map(outgoing.map((row) => [row.id, row]));
	const taken = Map.groupBy(parts, idOf);
	return claimed.flatMap((row) => {
		const message = messages.get(row.messageId);
		if (message === undefined) return [];
		const earlier = taken.get(row.messageId) ?? [];
		return [
			{
				...row,
				outgoing: message,
				takenParts: earlier.map((part) => part.number),
				partCount: earlier[0]?.partCount,
			},
		];
	});
}

function idOf(row: { readonly messageId: string }): string {
	return row.messageId;
}
