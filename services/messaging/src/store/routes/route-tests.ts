import type { Queryable } from "@airtower/platform/database/database";

export interface RouteTestRow {
	readonly id: string;
	readonly route: string;
	readonly settings: Buffer;
}

export interface RouteTestResult {
	readonly passed: boolean;
	readonly result: string;
}

/** Nobody waits for a result any more, seconds after the test was asked for. */
const FORGOTTEN_AFTER_S = 300;

export async function insertRouteTest(
	sql: Queryable,
	{ id, route, settings }: RouteTestRow,
): Promise<void> {
	await sql`
		insert into route_tests (id, route, settings)
		values (${id}, ${route}, ${settings})
	`;
}

/** Takes the test that has waited longest, and forgets those for which nobody waits. */
export async function takeRouteTest(
	sql: Queryable,
): Promise<RouteTestRow | undefined> {
	const [row] = await sql<RouteTestRow[]>`
		with forgotten as (
			delete from route_tests
			where asked_at < now() - ${FORGOTTEN_AFTER_S} * interval '1 second'
		)
		update route_tests
		set is_taken = true
		where id = (
			select id
			from route_tests
			where not is_taken
			and asked_at >= now() - ${FORGOTTEN_AFTER_S} * interval '1 second'
			order by asked_at
			limit 1
			for update skip locked
		)
		returning id, route, settings
	`;
	return row;
}

export async function finishRouteTest(
	sql: Queryable,
	id: string,
	{ passed, result }: RouteTestResult,
): Promise<void> {
	await sql`
		update route_tests
		set
			passed = ${passed},
			result = ${result}
		where id = ${id}
	`;
}

/** Undefined while there is no result. */
export async function takeRouteTestResult(
	sql: Queryable,
	id: string,
): Promise<RouteTestResult | undefined> {
	const [row] = await sql<RouteTestResult[]>`
		delete from route_tests
		where id = ${id}
		and result is not null
		returning passed, result
	`;
	return row;
}
