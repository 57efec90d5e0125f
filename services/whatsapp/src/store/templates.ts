import type { Queryable } from "@airtower/platform/database/database";
import { isAfter } from "@airtower/platform/database/page";
import type {
	TemplateCategory,
	TemplateStatus,
} from "../domain/template-state.ts";
import { dateRange, type ListRange, matches } from "./list-range.ts";

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

interface TemplateFilter {
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
