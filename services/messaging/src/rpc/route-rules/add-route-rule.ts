import { recordAct, recordNothing } from "@airtower/platform/audit/record-act";
import { type Tx, transaction } from "@airtower/platform/database/database";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import {
	conflict,
	invalid,
	notFound,
} from "@airtower/platform/runtime/domain-error";
import type {
	AddRouteRuleRequest,
	RouteRuleService,
} from "@airtower/proto/messaging/v1/route_rules";
import {
	type RouteRule,
	RULE_CHOICES,
} from "../../domain/routing/route-table.ts";
import {
	describeAddition,
	hasSameConditions,
} from "../../domain/routing/rule-effects.ts";
import { isSenderIdValue } from "../../domain/sender-id-value.ts";
import {
	endRouteRule,
	findRulesVersion,
	insertRouteRule,
	insertRulesVersion,
	listRouteRules,
	lockRouteRules,
	type RouteRuleRow,
} from "../../store/routes/route-rules.ts";
import { lockRoute } from "../../store/routes/routes.ts";
import type { Handler } from "../handler.ts";
import { ruleToFacts, ruleToProto } from "./rule-to-proto.ts";

/** Every process holds all rules in memory. */
const MAX_RULES = 20_000;

/**
 * The same rule again changes nothing; with another priority, weight or choice it takes the place of the one before.
 */
export const addRouteRule: Handler<
	typeof RouteRuleService.method.addRouteRule
> = async (ctx, request, context) => {
	assertOrganization(context, "*");
	const rule = readRule(request);
	const response = await transaction(ctx.sql, async (sql) => {
		await assertRoute(sql, rule.route);
		await lockRouteRules(sql);
		const latest = await findRulesVersion(sql);
		const rules = await listRouteRules(sql, latest);
		const before = rules.find((one) => isSameRule(one, rule));
		if (before !== undefined && isUnchanged(before, rule)) {
			recordNothing(context);
			return { rule: ruleToProto(before), version: latest, closes: "" };
		}
		if (before === undefined && rules.length >= MAX_RULES) throw tooMany();
		const version = latest + 1;
		const row = await storeRule(sql, rule, before, version);
		await recordAct(sql, context, {
			subject: rule.route,
			...(before && { before: ruleToFacts(before, latest) }),
			after: ruleToFacts(rule, version),
		});
		const closes = describeAddition(rules, rule);
		return { rule: ruleToProto(row), version, closes };
	});
	await ctx.routes.refresh();
	return response;
};

function readRule(request: AddRouteRuleRequest): RouteRule {
	const { prefix, route, priority, weight, choose } = request;
	const { sender, organizationId } = request;
	if (sender !== "" && !isSenderIdValue(sender))
		throw invalid(
			"invalid_sender_id",
			"sender",
			"A sender has 3-11 characters with a letter, or 3-15 digits.",
		);
	return {
		prefix,
		sender: sender === "" ? null : sender,
		organizationId: organizationId === "" ? null : organizationId.toLowerCase(),
		route,
		priority,
		weight,
		choose: RULE_CHOICES.find((one) => one === choose) ?? "weight",
	};
}

/** Whoever removes the route waits, and finds the rule. */
async function assertRoute(sql: Tx, code: string): Promise<void> {
	const route = await lockRoute(sql, code, false);
	if (route === undefined || route.state === "removed")
		throw notFound("unknown_route", `There is no route "${code}".`, {
			field: "route",
		});
}

function isSameRule(a: RouteRule, b: RouteRule): boolean {
	return a.route === b.route && hasSameConditions(a, b);
}

function isUnchanged(a: RouteRule, b: RouteRule): boolean {
	return (
		a.priority === b.priority && a.weight === b.weight && a.choose === b.choose
	);
}

async function storeRule(
	sql: Tx,
	rule: RouteRule,
	before: RouteRuleRow | undefined,
	version: number,
): Promise<RouteRuleRow> {
	await insertRulesVersion(sql, version);
	if (before !== undefined) await endRouteRule(sql, before.id, version);
	const id = await insertRouteRule(sql, rule, version);
	return { ...rule, id, sinceVersion: version };
}

function tooMany() {
	return conflict(
		"route_rule_limit_reached",
		`There are ${MAX_RULES} rules already; remove some first.`,
	);
}
