import type { Tx } from "@airtower/platform/database/database";
import { statesBefore } from "../domain/message-state.ts";
import type { DecidedMessage } from "../domain/receipt-effects.ts";
import type { MessageFailureReason } from "../operators/operator.ts";
import { groupAlike } from "./groups.ts";
import { idRange } from "./id-range.ts";

/** A message that has just reached its final state. */
export interface FinishedMessage {
	readonly id: string;
	readonly organizationId: string;
	readonly recipient: string;
	readonly clientReference: string | null;
	readonly campaignId: string | null;
	readonly status: "delivered" | "failed";
	readonly reason: MessageFailureReason | null;
	readonly finishedAt: Date;
}

/** Takes back the count of an attempt that never reached the operator. */
export async function forgetAttempts(
	sql: Tx,
	ids: readonly string[],
): Promise<void> {
	if (ids.length === 0) return;
	const { first, last } = idRange(ids);
	await sql`
		update messages
		set attempts = attempts - 1
		where id = any(${[...ids]}::uuid[])
		and id between ${first} and ${last}
	`;
}

/** Marks messages as sent without an answer. */
export async function markUnknown(
	sql: Tx,
	ids: readonly string[],
): Promise<void> {
	if (ids.length === 0) return;
	const { first, last } = idRange(ids);
	await sql`
		update messages
		set status = 'unknown'
		where id = any(${[...ids]}::uuid[])
		and id between ${first} and ${last}
		and status in ${sql(statesBefore("unknown"))}
	`;
}

/** Marks messages of which the operator has every part. */
export async function markSubmitted(
	sql: Tx,
	submitted: readonly { readonly id: string; readonly partCount: number }[],
): Promise<void> {
	const groups = groupAlike(submitted, ({ partCount }) => ({ partCount }));
	await Promise.all(
		groups.map(
			({ shared, items }) => sql`
				update messages
				set
					status = 'submitted',
					submitted_at = now(),
					part_count = ${shared.partCount}
				where ${isOneOf(sql, items)}
				and status in ${sql(statesBefore("submitted"))}
			`,
		),
	);
}

/** Remembers what the operator answered to submits that it refused. */
export async function noteRefusals(
	sql: Tx,
	refusals: readonly { readonly id: string; readonly operatorError: string }[],
): Promise<void> {
	const groups = groupAlike(refusals, ({ operatorError }) => ({
		operatorError,
	}));
	await Promise.all(
		groups.map(
			({ shared, items }) => sql`
				update messages
				set operator_error = ${shared.operatorError}
				where ${isOneOf(sql, items)}
			`,
		),
	);
}

/** Ends messages; answers those that had not ended before, once each. */
export async function finishMessages(
	sql: Tx,
	ends: readonly DecidedMessage[],
): Promise<FinishedMessage[]> {
	const groups = groupAlike(ends, ({ status, reason }) => ({ status, reason }));
	const finished = await Promise.all(
		groups.map(
			({ shared: { status, reason }, items }) => sql<FinishedMessage[]>`
				update messages
				set
					status = ${status},
					reason = ${reason},
					finished_at = now()
				where ${isOneOf(sql, items)}
				and status in ${sql(statesBefore(status))}
				returning
					id,
					organization_id as "organizationId",
					recipient,
					client_reference as "clientReference",
					campaign_id as "campaignId",
					status,
					reason,
					finished_at as "finishedAt"
			`,
		),
	);
	return finished.flat();
}

const isOneOf = (sql: Tx, messages: readonly { readonly id: string }[]) => {
	const ids = messages.map((message) => message.id);
	const { first, last } = idRange(ids);
	return sql`
		id = any(${ids}::uuid[])
		and id between ${first} and ${last}
	`;
};

/** Locks messages in id order, so that receipts of several parts of one message take turns. */
export async function lockMessages(
	sql: Tx,
	ids: readonly string[],
): Promise<void> {
	if (ids.length === 0) return;
	const { first, last } = idRange(ids);
	await sql`
		select
		from messages
		where id = any(${[...ids]}::uuid[])
		and id between ${first} and ${last}
		order by id
		for update
	`;
}
