import type { Queryable, Tx } from "@airtower/platform/database/database";
import {
	isOwned,
	ownedRows,
	type Fence as QueueFence,
} from "@airtower/platform/work/leased-queue";
import { dispatchQueue } from "./dispatch.ts";

/** Identifies one claim of one message. A settle applies only while the row is still of that claim. */
export type Fence = QueueFence<"messageId">;

type ClaimNumber = Pick<Fence, "messageId" | "attempt">;

export function claimKey({ messageId, attempt }: ClaimNumber): string {
	return `${messageId} ${attempt}`;
}

export type Postponement = Fence & {
	readonly delayMs: number;
	readonly refusals: number;
};

/** Marks claimed rows as submitting; returns the claims that are still the latest. */
export async function markSubmitting(
	sql: Queryable,
	fences: readonly Fence[],
): Promise<Set<string>> {
	return toKeys(
		await sql<ClaimNumber[]>`
			update dispatch as work
			set submitting = true
			from ${ownedRows(sql, dispatchQueue, fences)}
			where ${isOwned(sql, dispatchQueue)}
			returning work.message_id as "messageId", work.attempt
		`,
	);
}

/** Ends the dispatch of messages; returns the claims whose fence still matched. */
export async function deleteDispatched(
	sql: Tx,
	fences: readonly Fence[],
): Promise<Set<string>> {
	if (fences.length === 0) return new Set();
	return toKeys(
		await sql<ClaimNumber[]>`
			delete from dispatch as work
			using ${ownedRows(sql, dispatchQueue, fences)}
			where ${isOwned(sql, dispatchQueue)}
			returning work.message_id as "messageId", work.attempt
		`,
	);
}

/** Puts rows back to wait; returns the claims whose fence still matched. */
export async function postponeDispatch(
	sql: Tx,
	rows: readonly Postponement[],
): Promise<Set<string>> {
	if (rows.length === 0) return new Set();
	const owned = ownedRows(sql, dispatchQueue, rows, {
		delayMs: "float8",
		refusals: "integer",
	});
	return toKeys(
		await sql<ClaimNumber[]>`
			update dispatch as work
			set
				token = null,
				submitting = false,
				due_at = now() + owned.delay_ms * interval '1 millisecond',
				refusals = owned.refusals
			from ${owned}
			where ${isOwned(sql, dispatchQueue)}
			returning work.message_id as "messageId", work.attempt
		`,
	);
}

function toKeys(claims: readonly ClaimNumber[]): Set<string> {
	return new Set(claims.map(claimKey));
}
