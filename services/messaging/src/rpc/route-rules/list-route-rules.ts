import { assertOrganization } from "@airtower/platform/rpc/caller";
import { notFound } from "@airtower/platform/runtime/domain-error";
import type { RouteRuleService } from "@airtower/proto/messaging/v1/route_rules";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
	findRulesVersion,
	findRulesVersionTime,
	listRouteRules as listRules,
} from "../../store/routes/route-rules.ts";
import type { Handler } from "../handler.ts";
import { ruleToProto } from "./rule-to-proto.ts";

export const listRouteRules: Handler<
	typeof RouteRuleService.method.listRouteRules
> = async ({ sql }, request, context) => {
	assertOrganization(context, "*");
	const version = request.version || (await findRulesVersion(sql));
	const madeAt = await findRulesVersionTime(sql, version);
	if (request.version > 0 && madeAt === undefined)
		throw notFound(
			"unknown_version",
			`The rules have no version ${version} yet.`,
			{ field: "version" },
		);
	const rules = await listRules(sql, version);
	return {
		rules: rules.map(ruleToProto),
		version,
		...(madeAt && { madeAt: timestampFromDate(madeAt) }),
	};
};
