import { recordAct } from "@airtower/platform/audit/record-act";
import { transaction } from "@airtower/platform/database/database";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import { invalid } from "@airtower/platform/runtime/domain-error";
import type { AccountsAdminService } from "@airtower/proto/accounts/v1/admin";
import { findPlan, type PlanRow, upsertPlan } from "../../store/plans.ts";
import type { Handler } from "../handler.ts";
import { planToProto } from "./plan-to-proto.ts";

/** So many keys may use up their own limits at once, unless a plan says otherwise. */
const KEYS_AT_THEIR_LIMIT = 4;

/** No event for each of the plan's organizations, which may be all: a verified key is not remembered for long. */
export const putPlan: Handler<
	typeof AccountsAdminService.method.putPlan
> = async (ctx, request, context) => {
	assertOrganization(context, "*");
	const { name, requestsPerMinute } = request;
	const organizationRequestsPerMinute =
		request.organizationRequestsPerMinute ||
		requestsPerMinute * KEYS_AT_THEIR_LIMIT;
	if (organizationRequestsPerMinute < requestsPerMinute)
		throw invalid(
			"invalid_value",
			"organization_requests_per_minute",
			"All keys together may not have less than each of them.",
		);
	const wanted = { name, requestsPerMinute, organizationRequestsPerMinute };
	const plan = await transaction(ctx.sql, async (sql) => {
		const before = await findPlan(sql, name);
		const plan = await upsertPlan(sql, wanted);
		await recordAct(sql, context, {
			subject: name,
			...(before && { before: toFacts(before) }),
			after: toFacts(plan),
		});
		return plan;
	});
	return { plan: planToProto(plan) };
};

function toFacts(plan: PlanRow) {
	return {
		requests_per_minute: plan.requestsPerMinute,
		organization_requests_per_minute: plan.organizationRequestsPerMinute,
	};
}
