import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { AccountsAdminService } from "@airtower/proto/accounts/v1/admin";
import { listPlans as listRows } from "../../store/plans.ts";
import type { Handler } from "../handler.ts";
import { planToProto } from "./plan-to-proto.ts";

/** Only for a caller of every organization. */
export const listPlans: Handler<
	typeof AccountsAdminService.method.listPlans
> = async (ctx, _request, context) => {
	assertOrganization(context, "*");
	return { plans: (await listRows(ctx.sql)).map(planToProto) };
};
