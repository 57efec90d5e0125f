import type { Queryable } from "@airtower/platform/database/database";

export interface PlanRow {
	readonly name: string;
	readonly requestsPerMinute: number;
	readonly organizationRequestsPerMinute: number;
	readonly createdAt: Date;
}

function planColumns(sql: Queryable) {
	return sql`
		name,
		requests_per_minute as "requestsPerMinute",
		organization_requests_per_minute as "organizationRequestsPerMinute",
		created_at as "createdAt"
	`;
}

export async function findPlan(
	sql: Queryable,
	name: string,
): Promise<PlanRow | undefined> {
	const [row] = await sql<PlanRow[]>`
		select ${planColumns(sql)}
		from plans
		where name = ${name}
	`;
	return row;
}

export async function listPlans(sql: Queryable): Promise<PlanRow[]> {
	return sql<PlanRow[]>`
		select ${planColumns(sql)}
		from plans
		order by name
	`;
}

/** Makes the plan, or changes the one of that name. */
export async function upsertPlan(
	sql: Queryable,
	plan: Omit<PlanRow, "createdAt">,
): Promise<PlanRow> {
	const [row] = await sql<[PlanRow]>`
		insert into plans (name, requests_per_minute, organization_requests_per_minute)
		values (${plan.name}, ${plan.requestsPerMinute}, ${plan.organizationRequestsPerMinute})
		on conflict (name) do update
		set
			requests_per_minute = excluded.requests_per_minute,
			organization_requests_per_minute = excluded.organization_requests_per_minute
		returning ${planColumns(sql)}
	`;
	return row;
}
