import type { Queryable, Tx } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import type { DisabledReason } from "../domain/endpoint-state.ts";

interface Subscription {
	endpointId: string;
	organizationId: string;
	subscribedEvents: string[];
}

/** Active endpoints of these organizations, and what they subscribe to. */
export function findSubscriptions(
	sql: Queryable,
	organizationIds: readonly string[],
): Promise<Subscription[]> {
	return sql<Subscription[]>`
		select
			id as "endpointId",
			organization_id as "organizationId",
			subscribed_events as "subscribedEvents"
		from endpoints
		where organization_id = any(${organizationIds}::uuid[])
		and status = 'active'
	`;
}

export interface SendableEndpoint {
	id: string;
	url: string;
	secret: Uint8Array;
	/** Those that sign too, newest first. */
	retiredSecrets: Uint8Array[];
}

/** By id; those that are not active are left out. */
export async function findActiveEndpoints(
	sql: Queryable,
	ids: readonly string[],
): Promise<Map<string, SendableEndpoint>> {
	const rows = await sql<SendableEndpoint[]>`
		select
			id,
			url,
			secret,
			array(
				select retired.secret
				from retired_secrets as retired
				where endpoint_id = endpoints.id
				and signs_until > now()
				order by signs_until desc
			) as "retiredSecrets"
		from endpoints
		where id = any(${ids}::uuid[])
		and status = 'active'
	`;
	return new Map(rows.map((row) => [row.id, row]));
}

/** By id; those that are not active are left out. None changes before the transaction ends. */
export async function lockAddresses(
	sql: Tx,
	ids: readonly string[],
): Promise<Map<string, string>> {
	const rows = await sql<{ id: string; url: string }[]>`
		select id, url
		from endpoints
		where id = any(${ids}::uuid[])
		and status = 'active'
		order by id
		for no key update
	`;
	return new Map(rows.map(({ id, url }) => [id, url]));
}

export interface EndpointTally {
	endpointId: string;
	succeeded: number;
	failed: number;
	/** Where the response was 410; null when none was. */
	goneUrl: string | null;
}

export interface DisabledEndpoint {
	id: string;
	organizationId: string;
	url: string;
	reason: DisabledReason;
	disabledAt: Date;
}

/** Returns the endpoints that this call disabled. */
export async function recordTallies(
	sql: Tx,
	tallies: readonly EndpointTally[],
): Promise<DisabledEndpoint[]> {
	const succeeded = tallies.filter((tally) => tally.succeeded > 0);
	const failed = tallies.filter((tally) => tally.succeeded === 0);
	if (succeeded.length > 0) await endFailures(sql, succeeded);
	if (failed.length > 0) await addFailures(sql, failed);
	const gone = tallies.filter((tally) => tally.goneUrl !== null);
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
			failures = e.failures + given.failed,
			failing_since = coalesce(e.failing_since, now()),
			last_failed_at = now()
		from ${unnest(sql, tallies, { endpointId: "uuid", failed: "integer" })}
		where e.id = given.endpoint_id
		and e.status = 'active'
	`;
}

/** A 410 of an address that was changed meanwhile does not disable the endpoint at its new one. */
function disableGone(
	sql: Tx,
	tallies: readonly EndpointTally[],
): Promise<DisabledEndpoint[]> {
	return sql<DisabledEndpoint[]>`
		update endpoints e
		set ${disabling(sql, "gone")}
		from ${unnest(sql, tallies, { endpointId: "uuid", goneUrl: "text" })}
		where e.id = given.endpoint_id
		and e.url = given.gone_url
		and status = 'active'
		returning ${disabledColumns(sql)}
	`;
}

/** Those whose failures span `days` without one success between them. */
export function disableFailingEndpoints(
	sql: Tx,
	days: number,
	minFailures: number,
): Promise<DisabledEndpoint[]> {
	return sql<DisabledEndpoint[]>`
		update endpoints e
		set ${disabling(sql, "failing")}
		where status = 'active'
		and failing_since <= now() - ${days} * interval '1 day'
		and last_failed_at >= failing_since + ${days} * interval '1 day'
		and failures >= ${minFailures}
		returning ${disabledColumns(sql)}
	`;
}

function disabling(sql: Tx, reason: DisabledReason) {
	return sql`status = 'disabled', disabled_reason = ${reason}, disabled_at = now()`;
}

function disabledColumns(sql: Tx) {
	return sql`
		e.id,
		e.organization_id as "organizationId",
		e.url,
		e.disabled_reason as "reason",
		e.disabled_at as "disabledAt"
	`;
}
