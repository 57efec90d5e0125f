import { assertOrganization } from "@airtower/platform/rpc/caller";
import type {
	ListPlansRequest,
	ListPlansResponseSchema,
} from "@airtower/proto/accounts/v1/admin";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type { AccountsContext } from "../context.ts";
import { listPlans as listRows } from "../store/plans.ts";
import { planToProto } from "./plan-to-proto.ts";

/** All plans by name. Only for a caller of every organization. */
export async function listPlans(
	ctx: AccountsContext,
	_request: ListPlansRequest,
	context: HandlerContext,
): Promise<MessageInitShape<typeof ListPlansResponseSchema>> {
	assertOrganization(context, "*");
	return { plans: (await listRows(ctx.sql)).map(planToProto) };
}
