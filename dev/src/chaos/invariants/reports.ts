import type postgres from "postgres";
import { complaint, type Invariant } from "./invariant.ts";

/**
 * What the counts for reports of an organization and a recount of its messages say differently, a sentence each.
 * Countries and prefixes are compared as a whole: SQL cannot tell them.
 */
export async function compareReports(
	sql: postgres.Sql,
	organizationId: string,
): Promise<string[]> {
	const rows = await sql<{ difference: string }[]>`
		with sms as (
			select
				uuid_extract_timestamp(id) as accepted_at,
				'sms' as channel,
				case when finished_at is null then coalesce(first_route, route) else route end as route,
				sender_value as sender,
				coalesce(campaign_id::text, '') as campaign,
				'' as template,
				segments,
				case when finished_at is not null then status end as ended,
				coalesce(reason, '') as reason
			from messaging.messages
			where organization_id = ${organizationId}
		), whatsapp as (
			select
				uuid_extract_timestamp(id),
				'whatsapp',
				'',
				phone_number_id::text,
				'',
				coalesce(template_name, ''),
				0,
				case when finished_at is not null and status = 'failed' then 'failed' when finished_at is not null then 'delivered' end,
				coalesce(error_code, '')
			from whatsapp.messages
			where organization_id = ${organizationId}
			and direction = 'outbound'
		), results as (
			select sent.*, result.*
			from (table sms union all table whatsapp) as sent
			cross join lateral (values ('accepted', '', segments), (ended, reason, 0)) as result (name, why, parts)
			where result.name is not null
		), recount as (
			select dimension, begins_at, value, channel, name as result, why as reason, count(*) as messages, sum(parts) as segments
			from results
			cross join lateral (values
				('hour', date_trunc('hour', accepted_at, 'UTC'), ''),
				('route', date_trunc('day', accepted_at, 'UTC'), route),
				('sender', date_trunc('day', accepted_at, 'UTC'), sender),
				('campaign', date_trunc('day', accepted_at, 'UTC'), campaign),
				('template', date_trunc('day', accepted_at, 'UTC'), template),
				('country', date_trunc('day', accepted_at, 'UTC'), ''),
				('prefix', date_trunc('day', accepted_at, 'UTC'), '')
			) as counted_by (dimension, begins_at, value)
			group by 1, 2, 3, 4, 5, 6
		), counts as (
			select counts.*, case when dimension in ('country', 'prefix') then '' else value end as compared
			from accounts.report_counts as counts
			where organization_id = ${organizationId}
		), counted as (
			select dimension, begins_at, compared as value, channel, result, why as reason, sum(messages) as messages, sum(parts) as segments
			from counts
			cross join lateral (
				values
					('accepted', '', accepted::numeric, segments),
					('delivered', '', delivered, 0),
					('canceled', '', canceled, 0)
				union all
				-- Twelve digits for each reason.
				select 'failed', reason, mod(div(failures, power(10::numeric, 12 * slot)), power(10::numeric, 12)), 0
				from accounts.report_reasons
			) as result (result, why, messages, parts)
			group by 1, 2, 3, 4, 5, 6
			having sum(messages) <> 0
		)
		select format(
			'%s "%s" %s %s %s: %s counted, %s there', dimension, value, channel, result, reason,
			coalesce(counted.messages, 0), coalesce(recount.messages, 0)
		) as difference
		from counted
		full join recount using (dimension, begins_at, value, channel, result, reason)
		where (counted.messages, counted.segments) is distinct from (recount.messages, recount.segments)
		order by 1
	`;
	return rows.map(({ difference }) => difference);
}

/** I11: reports say what a recount of the messages says. */
export const reportsAreExact: Invariant = {
	name: "I11",
	waits: true,
	check: async ({ tenants, target: { sql }, hadOldRelease }) => {
		if (hadOldRelease) return [];
		const all = await Promise.all(
			[tenants.a, tenants.b].map(async ({ name, organizationId }) =>
				complaint(
					`counts of ${name} are not those of a recount`,
					await compareReports(sql, organizationId),
				),
			),
		);
		return all.flat();
	},
};
