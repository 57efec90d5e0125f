import type { Queryable, Tx } from "@airtower/platform/database/database";

export interface EndpointTally {
	endpointId: string;
	succeeded: number;
	failed: number;
	gone: boolean;
}

/** Returns the endpoints that this call disabled. */
export async function recordTallies(
	sql: Tx,
	tallies: readonly EndpointTally[],
): Promise<string[]> {
	const succeeded = tallies.filter((tally) => tally.succeeded > 0);
	const failed = tallies.filter((tally) => tally.succeeded === 0);
	if (succeeded.length > 0) await endFailures(sql, succeeded);
	if (failed.length > 0) await addFailures(sql, failed);
	const gone = tallies.filter((tally) => tally.gone);
	return gone.length === 0 ? [] : disableGone(sql, gone);
}

async function endFailures(
	sql: Tx,
	tallies: readonly EndpointTally[],
): Promise<void> {
	await sql`
		update endpoints
		set failures = 0, failing_since = null, last_failed_at = null
		where id = any(${tallies.map((tally) => tally.endpointId)}::uuid[])
		and failing_since is not null
	`;
}

async function addFailures(
	sql: Tx,
	tallies: readonly EndpointTally[],
): Promise<void> {
	await sql`
		update endpoints e
		set
			failures = e.failures + tally.failed,
			failing_since = coalesce(e.failing_since, now()),
			last_failed_at = now()
		from unnest(
			${tallies.map((tally) => tally.endpointId)}::uuid[],
			${tallies.map((tally) => tally.failed)}::int[]
		) as tally (id, failed)
		where e.id = tally.id
		and e.status = 'active'
	`;
}

async function disableGone(
	sql: Tx,
	tallies: readonly EndpointTally[],
): Promise<string[]> {
	const rows = await sql<{ id: string }[]>`
		update endpoints
		set status = 'disabled', disabled_reason = 'gone'
		where id = any(${tallies.map((tally) => tally.endpointId)}::uuid[])
		and status = 'active'
		returning id
	`;
	return rows.map((row) => row.id);
}

/** Those whose failures span `days` without one success between them. */
export async function disableFailingEndpoints(
	sql: Queryable,
	days: number,
	minFailures: number,
): Promise<string[]> {
	const rows = await sql<{ id: string }[]>`
		update endpoints
		set status = 'disabled', disabled_reason = 'failing'
		where status = 'active'
		and failing_since <= now() - ${days} * interval '1 day'
		and last_failed_at >= failing_since + ${days} * interval '1 day'
		and failures >= ${minFailures}
		returning id
	`;
	return rows.map((row) => row.id);
}
