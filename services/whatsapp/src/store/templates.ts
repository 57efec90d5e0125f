import type { Queryable } from "@airtower/platform/database/database";
import type { RowKey } from "@airtower/platform/database/page";
import type {
	TemplateCategory,
	TemplateStatus,
} from "../domain/template-state.ts";
import { dateRange, isAfter, type ListRange, matches } from "./list-range.ts";

export interface TemplateRow {
	readonly id: string;
	readonly name: string;
	readonly language: string;
	readonly category: TemplateCategory;
	readonly status: TemplateStatus;
	readonly body: string;
	readonly parameterCount: number;
	readonly locallyDisabled: boolean;
	readonly createdAt: Date;
	readonly updatedAt: Date;
}

/** What accepting a message needs to know of its template. */
export interface CandidateTemplate {
	readonly id: string;
	readonly organizationId: string;
	readonly providerAccountId: string;
	readonly name: string;
	readonly language: string;
	readonly category: TemplateCategory;
	readonly status: TemplateStatus;
	readonly parameterCount: number;
	readonly locallyDisabled: boolean;
	readonly bodyOnly: boolean;
}

export interface TemplateFilter {
	readonly status: string;
	readonly category: string;
	readonly name: string;
}

const columns = (sql: Queryable) => sql`
	id, name, language, category, status, body,
	parameter_count as "parameterCount",
	locally_disabled as "locallyDisabled",
	created_at as "createdAt",
	updated_at as "updatedAt"
`;

/** Templates by the names that a send gives. */
export async function findCandidateTemplates(
	sql: Queryable,
	wanted: readonly {
		organizationId: string;
		providerAccountId: string;
		name: string;
		language: string;
	}[],
): Promise<CandidateTemplate[]> {
	if (wanted.length === 0) return [];
	return sql<CandidateTemplate[]>`
		select
			id,
			organization_id as "organizationId",
			provider_account_id as "providerAccountId",
			name,
			language,
			category,
			status,
			parameter_count as "parameterCount",
			locally_disabled as "locallyDisabled",
			body_only as "bodyOnly"
		from templates
		where (organization_id, provider_account_id, name, language) in (
			select *
			from unnest(
				${wanted.map((one) => one.organizationId)}::uuid[],
				${wanted.map((one) => one.providerAccountId)}::text[],
				${wanted.map((one) => one.name)}::text[],
				${wanted.map((one) => one.language)}::text[]
			)
		)
	`;
}

/** One page of an organization's templates without the locally disabled ones, newest first. */
export async function listTemplates(
	sql: Queryable,
	organizationId: string,
	filter: TemplateFilter,
	range: ListRange,
): Promise<TemplateRow[]> {
	return sql<TemplateRow[]>`
		select ${columns(sql)}
		from templates
		where organization_id = ${organizationId}
		and not locally_disabled
		${matches(sql, "status", filter.status)}
		${matches(sql, "category", filter.category)}
		${matches(sql, "name", filter.name)}
		${dateRange(sql, range)}
		${isAfter(sql, range.after)}
		order by created_at desc, id desc
		limit ${range.limit}
	`;
}

/** An organization's templates, all of them up to a limit, newest first. */
export async function listAllTemplates(
	sql: Queryable,
	organizationId: string,
	limit: number,
	after?: RowKey,
): Promise<TemplateRow[]> {
	return sql<TemplateRow[]>`
		select ${columns(sql)}
		from templates
		where organization_id = ${organizationId}
		${isAfter(sql, after)}
		order by created_at desc, id desc
		limit ${limit}
	`;
}

/** Switches a template locally; false when the organization has none of that id. */
export async function updateLocallyDisabled(
	sql: Queryable,
	organizationId: string,
	id: string,
	disabled: boolean,
): Promise<boolean> {
	const updated = await sql`
		update templates
		set
			locally_disabled = ${disabled},
			updated_at = now()
		where organization_id = ${organizationId}
		and id = ${id}
	`;
	return updated.count === 1;
}
