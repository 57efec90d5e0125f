import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { AccountsAdminService } from "@airtower/proto/accounts/v1/admin";
import { upsertPlan } from "../../store/plans.ts";
import type { Handler } from "../handler.ts";
import { planToProto } from "./plan-to-proto.ts";

/** No event for each of the plan's organizations, which may be all there are: a verified key is never held for long. */
export const putPlan: Handler<
	typeof AccountsAdminService.method.putPlan
> = async (ctx, request, context) => {
	assertOrganization(context, "*");
	const { name, requestsPerMinute } = request;
	return {
		plan: planToProto(await upsertPlan(ctx.sql, name, requestsPerMinute)),
	};
};
