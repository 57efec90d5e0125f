import { assertOrganization } from "@airtower/platform/rpc/caller";
import type {
	PutPlanRequest,
	PutPlanResponseSchema,
} from "@airtower/proto/accounts/v1/admin";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type { AccountsContext } from "../context.ts";
import { upsertPlan } from "../store/plans.ts";
import { planToProto } from "./plan-to-proto.ts";

/**
 * Creates or changes a plan. Only for a caller of every organization. No event for each of the
 * plan's organizations, which may be all there are: a verified key is never held for long.
 */
export async function putPlan(
	ctx: AccountsContext,
	request: PutPlanRequest,
	context: HandlerContext,
): Promise<MessageInitShape<typeof PutPlanResponseSchema>> {
	assertOrganization(context, "*");
	const { name, requestsPerMinute } = request;
	return {
		plan: planToProto(await upsertPlan(ctx.sql, name, requestsPerMinute)),
	};
}
