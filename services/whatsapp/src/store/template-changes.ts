import type { Queryable, Tx } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import type postgres from "postgres";
import type { TemplateItem } from "../domain/callback-item.ts";
import type { ProviderTemplate } from "../domain/provider-template.ts";

/** A listed template as a row; the names of its placeholders are one text, for a list of lists has no columns. */
function toRow(template: ProviderTemplate) {
	const parameterNames = template.parameterNames?.join(",") ?? null;
	return { ...template, id: uuidv7(), parameterNames };
}

/** When a reading begins, by the database's clock: that of a process may be wrong. */
export async function findReadingTime(sql: Queryable): Promise<Date> {
	const [row] = await sql<[{ now: Date }]>`select clock_timestamp() as now`;
	return row.now;
}

/** What was seen then was seen while a clock stood ahead: it hinders nothing that is seen now. */
function isOfFuture(sql: Queryable, observedAt: postgres.Fragment) {
	return sql`${observedAt} > clock_timestamp() + interval '1 minute'`;
}

/** A callback that came after the reading began has the later word; of entries with one name the last one counts. */
export async function upsertTemplates(
	sql: Queryable,
	organizationId: string,
	providerAccountId: string,
	templates: readonly ProviderTemplate[],
	observedAt: Date,
): Promise<void> {
	const rows = new Map(
		templates.map((one) => [`${one.name} ${one.language}`, toRow(one)]),
	);
	await sql`
		insert into templates as known (
			organization_id, provider_account_id, observed_at,
			id, provider_template_id, name, language, category, status, body,
			parameter_count, parameter_names, body_only
		)
		select
			${organizationId}, ${providerAccountId}, ${observedAt},
			id, provider_template_id, name, language, category, status, body,
			parameter_count, string_to_array(parameter_names, ','), body_only
		from ${unnest(sql, [...rows.values()], {
			id: "uuid",
			providerTemplateId: "text",
			name: "text",
			language: "text",
			category: "text",
			status: "text",
			body: "text",
			parameterCount: "integer",
			parameterNames: "text",
			bodyOnly: "boolean",
		})}
		order by name, language
		on conflict (organization_id, provider_account_id, name, language) do update
		set
			provider_template_id = excluded.provider_template_id,
			category = excluded.category,
			status = excluded.status,
			body = excluded.body,
			parameter_count = excluded.parameter_count,
			parameter_names = excluded.parameter_names,
			body_only = excluded.body_only,
			observed_at = excluded.observed_at,
			updated_at = case
				when (
					known.category, known.status, known.body, known.body_only
				) is distinct from (
					excluded.category, excluded.status, excluded.body, excluded.body_only
				) then now()
				else known.updated_at
			end
		where known.observed_at <= excluded.observed_at
		or ${isOfFuture(sql, sql`known.observed_at`)}
	`;
}

export async function disableUnlistedTemplates(
	sql: Queryable,
	organizationId: string,
	providerAccountId: string,
	observedAt: Date,
): Promise<void> {
	await sql`
		update templates
		set
			status = 'disabled',
			updated_at = now()
		where organization_id = ${organizationId}
		and provider_account_id = ${providerAccountId}
		and (observed_at < ${observedAt} or ${isOfFuture(sql, sql`observed_at`)})
		and status <> 'disabled'
	`;
}

/** Returns how many rows changed. The provider's times are whole seconds: within one, the last to come wins. */
export async function applyTemplateItem(
	sql: Tx,
	item: TemplateItem,
): Promise<number> {
	const updated = await sql`
		update templates
		set
			status = coalesce(${item.status ?? null}, status),
			category = coalesce(${item.category ?? null}, category),
			observed_at = case
				when ${isOfFuture(sql, sql`observed_at`)} then ${item.at}
				else greatest(observed_at, ${item.at})
			end,
			updated_at = now()
		where provider_account_id = ${item.providerAccountId}
		and name = ${item.name}
		and language = ${item.language}
		and (
			date_trunc('second', observed_at) <= ${item.at}
			or ${isOfFuture(sql, sql`observed_at`)}
		)
	`;
	return updated.count;
}
