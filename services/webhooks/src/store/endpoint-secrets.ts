import type { Queryable, Tx } from "@airtower/platform/database/database";
import { deleteBatch } from "@airtower/platform/database/delete-batch";
import { type EndpointRow, publicColumns } from "./endpoints.ts";

interface ReplacedSecret extends EndpointRow {
	retired: Uint8Array;
}

/** Locks the endpoint and gives it a new secret; undefined when the organization has no such endpoint. */
export async function replaceSecret(
	sql: Tx,
	organizationId: string,
	endpointId: string,
	secret: Uint8Array,
): Promise<ReplacedSecret | undefined> {
	const [row] = await sql<ReplacedSecret[]>`
		update endpoints
		set secret = ${secret}
		where id = ${endpointId}
		and organization_id = ${organizationId}
		and status <> 'deleted'
		returning ${publicColumns(sql)}, old.secret as retired
	`;
	return row;
}

/** Returns until when the secret signs. */
export async function insertRetiredSecret(
	sql: Tx,
	endpointId: string,
	secret: Uint8Array,
	hours: number,
): Promise<Date> {
	const [row] = await sql<[{ signsUntil: Date }]>`
		insert into retired_secrets (endpoint_id, secret, signs_until)
		values (${endpointId}, ${secret}, clock_timestamp() + ${hours} * interval '1 hour')
		returning signs_until as "signsUntil"
	`;
	return row.signsUntil;
}

export async function countRetiredSecrets(
	sql: Queryable,
	endpointId: string,
): Promise<number> {
	const [row] = await sql<[{ count: number }]>`
		select count(*)::int as count
		from retired_secrets
		where endpoint_id = ${endpointId}
		and signs_until > now()
	`;
	return row.count;
}

/** Removes secrets that sign no more; returns how many. */
export async function deleteOldSecrets(
	sql: Queryable,
	limit: number,
): Promise<number> {
	const isOld = sql`signs_until < now()`;
	return deleteBatch(sql, "retired_secrets", isOld, limit);
}
