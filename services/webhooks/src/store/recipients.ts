import type { Queryable } from "@airtower/platform/database/database";

export interface Subscription {
	endpointId: string;
	organizationId: string;
	subscribedEvents: string[];
}

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
