import { recordAct } from "@airtower/platform/audit/record-act";
import { transaction } from "@airtower/platform/database/database";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import { notFound } from "@airtower/platform/runtime/domain-error";
import type { RouteRuleService } from "@airtower/proto/messaging/v1/route_rules";
import { describeRemoval } from "../../domain/routing/rule-effects.ts";
import {
	endRouteRule,
	findRulesVersion,
	insertRulesVersion,
	listRouteRules,
	lockRouteRules,
} from "../../store/routes/route-rules.ts";
import type { Handler } from "../handler.ts";
import { ruleToFacts, ruleToProto } from "./rule-to-proto.ts";

export const removeRouteRule: Handler<
	typeof RouteRuleService.method.removeRouteRule
> = async (ctx, request, context) => {
	assertOrganization(context, "*");
	const id = Number(request.id);
	const response = await transaction(ctx.sql, async (sql) => {
		await lockRouteRules(sql);
		const latest = await findRulesVersion(sql);
		const rules = await listRouteRules(sql, latest);
		const rule = rules.find((one) => one.id === id);
		if (rule === undefined)
			throw notFound("unknown_route_rule", `There is no rule ${id}.`, {
				field: "id",
			});
		const version = latest + 1;
		await insertRulesVersion(sql, version);
		await endRouteRule(sql, id, version);
		await recordAct(sql, context, {
			subject: rule.route,
			before: ruleToFacts(rule, latest),
			after: { version },
		});
		const remaining = rules.filter((one) => one.id !== id);
		const opens = describeRemoval(remaining, rule);
		return { rule: ruleToProto(rule), version, opens };
	});
	await ctx.routes.refresh();
	return response;
};
