import type { Queryable, Tx } from "@airtower/platform/database/database";
import { deleteBatch } from "@airtower/platform/database/delete-batch";

export interface OrganizationDay {
	readonly organizationId: string;
	/** Of UTC, as 2026-03-01. */
	readonly day: string;
}

/** Of these organizations, those with counts of one of these days whose report is not published yet. */
export async function findUnreported(
	sql: Queryable,
	organizationIds: readonly string[],
	days: readonly string[],
): Promise<OrganizationDay[]> {
	return sql<OrganizationDay[]>`
		select organization.id as "organizationId", due.day::text
		from unnest(${[...organizationIds]}::uuid[]) as organization (id)
		cross join unnest(${[...days]}::date[]) as due (day)
		where (
			select true
			from daily_reports
			where day = due.day
			and organization_id = organization.id
			limit 1
		) is null
		and (
			select true
			from report_counts
			where organization_id = organization.id
			and dimension = 'hour'
			and begins_at >= due.day::timestamp at time zone 'UTC'
			and begins_at < (due.day + 1)::timestamp at time zone 'UTC'
			limit 1
		)
		order by 1, 2
	`;
}

/** False where the report is published already; waits for whoever publishes it now. */
export async function insertDailyReport(
	sql: Tx,
	{ organizationId, day }: OrganizationDay,
): Promise<boolean> {
	const inserted = await sql`
		insert into daily_reports (day, organization_id)
		values (${day}, ${organizationId})
		on conflict do nothing
	`;
	return inserted.count === 1;
}

/** Forgets the reports of days before one; returns how many. */
export async function deleteDailyReports(
	sql: Queryable,
	before: string,
	limit: number,
): Promise<number> {
	return deleteBatch(sql, "daily_reports", sql`day < ${before}`, limit);
}
