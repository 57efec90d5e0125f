import type { Facts } from "@airtower/platform/audit/audit-entries";
import type { RouteRuleSchema } from "@airtower/proto/messaging/v1/route_rules";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { RouteRule } from "../../domain/routing/route-table.ts";
import type { RouteRuleRow } from "../../store/routes/route-rules.ts";

export function ruleToProto({
	id,
	sender,
	organizationId,
	...row
}: RouteRuleRow): MessageInitShape<typeof RouteRuleSchema> {
	return {
		...row,
		id: BigInt(id),
		sender: sender ?? "",
		organizationId: organizationId ?? "",
	};
}

/** What the audit keeps of a rule. */
export function ruleToFacts(rule: RouteRule, version: number): Facts {
	const { prefix, sender, organizationId, route, ...decides } = rule;
	const { priority, weight, choose } = decides;
	return {
		prefix,
		sender,
		organization_id: organizationId,
		route,
		priority,
		weight,
		choose,
		version,
	};
}
