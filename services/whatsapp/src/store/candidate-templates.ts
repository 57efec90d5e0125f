import type { Queryable } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import type { ExpectedParameters } from "../domain/template-parameters.ts";
import type { SendableFacts } from "../domain/template-state.ts";

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

const TEMPLATE_NAME = {
	organizationId: "uuid",
	providerAccountId: "text",
	name: "text",
	language: "text",
} as const;

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
