import type { Queryable, Tx } from "../database/database.ts";
import type { ErasedStep } from "./erasable-table.ts";

/** An erasure as it is recorded: the number is masked. */
export interface Erasure {
	readonly id: string;
	readonly maskedPhone: string;
	readonly organizationId: string | null;
	readonly requestedBy: string;
	/** Rows by table. */
	readonly erased: Readonly<Record<string, number>>;
	readonly pending: Readonly<Record<string, number>>;
	readonly startedAt: Date;
	readonly finishedAt: Date | null;
}

export async function insertErasure(
	sql: Queryable,
	erasure: Pick<
		Erasure,
		"id" | "maskedPhone" | "organizationId" | "requestedBy"
	>,
): Promise<void> {
	await sql`
		insert into erasures (id, masked_phone, organization_id, requested_by)
		values (
			${erasure.id}, ${erasure.maskedPhone}, ${erasure.organizationId}, ${erasure.requestedBy}
		)
	`;
}

/** Adds what a step came to, in its transaction; false when there is no such erasure, or it is over. */
export async function addToErasure(
	sql: Tx,
	id: string,
	table: string,
	{ erased, pending }: ErasedStep,
): Promise<boolean> {
	const plus = (column: "erased" | "pending", rows: number) => sql`
		${sql(column)} || jsonb_build_object(
			${table}::text, coalesce((${sql(column)} ->> ${table})::bigint, 0) + ${rows}::bigint
		)
	`;
	const updated = await sql`
		update erasures
		set
			erased = ${plus("erased", erased)},
			pending = ${plus("pending", pending)}
		where id = ${id}
		and finished_at is null
	`;
	return updated.count === 1;
}

export async function finishErasure(sql: Queryable, id: string): Promise<void> {
	await sql`
		update erasures
		set finished_at = now()
		where id = ${id}
	`;
}

export async function listErasures(
	sql: Queryable,
	limit: number,
): Promise<Erasure[]> {
	return sql<Erasure[]>`
		select
			id,
			masked_phone as "maskedPhone",
			organization_id as "organizationId",
			requested_by as "requestedBy",
			erased,
			pending,
			started_at as "startedAt",
			finished_at as "finishedAt"
		from erasures
		order by id desc
		limit ${limit}
	`;
}
