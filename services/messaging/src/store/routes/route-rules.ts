import type { Queryable, Tx } from "@airtower/platform/database/database";
import type { RouteRule } from "../../domain/routing/route-table.ts";

export interface RouteRuleRow extends RouteRule {
	readonly id: number;
	/** First version of the rules that has it. */
	readonly sinceVersion: number;
}

/** Until the transaction ends nobody else changes rules; they are read all the same. */
export async function lockRouteRules(sql: Tx): Promise<void> {
	await sql`lock table route_rules in share row exclusive mode`;
}

/** The latest version; 0 before the first change. */
export async function findRulesVersion(sql: Queryable): Promise<number> {
	const [row] = await sql<[{ version: number }]>`
		select coalesce(max(version), ${0}) as version
		from route_rule_versions
	`;
	return row.version;
}

/** When a version was made; undefined for one that there is not. */
export async function findRulesVersionTime(
	sql: Queryable,
	version: number,
): Promise<Date | undefined> {
	const [row] = await sql<{ madeAt: Date }[]>`
		select made_at as "madeAt"
		from route_rule_versions
		where version = ${version}
	`;
	return row?.madeAt;
}

/** The rules as they were in a version, by prefix, then as they decide. */
export async function listRouteRules(
	sql: Queryable,
	version: number,
): Promise<RouteRuleRow[]> {
	return sql<RouteRuleRow[]>`
		select
			id::int as id,
			prefix,
			sender,
			organization_id as "organizationId",
			route,
			priority,
			weight,
			choose,
			since_version as "sinceVersion"
		from route_rules
		where since_version <= ${version}
		and (until_version is null or until_version > ${version})
		order by
			prefix collate "C",
			sender nulls last,
			organization_id nulls last,
			priority,
			route
	`;
}

export async function insertRulesVersion(
	sql: Tx,
	version: number,
): Promise<void> {
	await sql`
		insert into route_rule_versions (version)
		values (${version})
	`;
}

/** Returns its id. */
export async function insertRouteRule(
	sql: Tx,
	rule: RouteRule,
	sinceVersion: number,
): Promise<number> {
	const [row] = await sql<[{ id: number }]>`
		insert into route_rules (
			prefix,
			sender,
			organization_id,
			route,
			priority,
			weight,
			choose,
			since_version
		)
		values (
			${rule.prefix},
			${rule.sender},
			${rule.organizationId},
			${rule.route},
			${rule.priority},
			${rule.weight},
			${rule.choose},
			${sinceVersion}
		)
		returning id::int as id
	`;
	return row.id;
}

export async function endRouteRule(
	sql: Tx,
	id: number,
	untilVersion: number,
): Promise<void> {
	await sql`
		update route_rules
		set until_version = ${untilVersion}
		where id = ${id}
		and until_version is null
	`;
}

export async function isRuleRoute(sql: Tx, route: string): Promise<boolean> {
	const [row] = await sql<[{ isNamed: boolean }]>`
		select exists (
			select
			from route_rules
			where route = ${route}
			and until_version is null
		) as "isNamed"
	`;
	return row.isNamed;
}
