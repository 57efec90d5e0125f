import type { Queryable } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import type { ExpectedParameters } from "../domain/template-parameters.ts";
import type {
	SendableFacts,
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

export interface TemplateName {
	readonly organizationId: string;
	readonly providerAccountId: string;
	readonly name: string;
	readonly language: string;
}

export interface CandidateTemplate
	extends TemplateName,
		SendableFacts,
		ExpectedParameters {
	readonly id: string;
}

export interface TemplateFilter {
	readonly status: string;
	readonly category: string;
	readonly name: string;
}

const TEMPLATE_NAME = {
	organizationId: "uuid",
	providerAccountId: "text",
	name: "text",
	language: "text",
} as const;

const columns = (sql: Queryable) => sql`
	id, name, language, category, status, body,
	parameter_count as "parameterCount",
	locally_disabled as "locallyDisabled",
	created_at as "createdAt",
	updated_at as "updatedAt"
`;

export async function findCandidateTemplates(
	sql: Queryable,
	wanted: readonly TemplateName[],
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
			from ${unnest(sql, wanted, TEMPLATE_NAME)}
		)
	`;
}

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

export async function listAllTemplates(
	sql: Queryable,
	organizationId: string,
	limit: number,
): Promise<TemplateRow[]> {
	return sql<TemplateRow[]>`
		select ${columns(sql)}
		from templates
		where organization_id = ${organizationId}
		order by created_at desc, id desc
		limit ${limit}
	`;
}

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
