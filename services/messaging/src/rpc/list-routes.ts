import { assertOrganization } from "@airtower/platform/rpc-caller";
import type {
	ListRoutesRequest,
	ListRoutesResponseSchema,
	OperatorRouteSchema,
} from "@airtower/proto/messaging/v1/admin";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { HandlerContext } from "@connectrpc/connect";
import type { MessagingContext } from "../context.ts";
import { countWorkByRoute, type RouteWork } from "../store/dispatch.ts";

/**
 * The operator routes and what is unfinished on each: those that are set up, and those that are not
 * any more and still have work. Only for a caller of every organization.
 */
export async function listRoutes(
	ctx: MessagingContext,
	_request: ListRoutesRequest,
	context: HandlerContext,
): Promise<MessageInitShape<typeof ListRoutesResponseSchema>> {
	assertOrganization(context, "*");
	const found = await countWorkByRoute(ctx.sql);
	const work = new Map(found.map((one) => [one.route, one]));
	const codes = new Set([
		ctx.route,
		...ctx.routes.map(({ code }) => code).toSorted(),
		...work.keys(),
	]);
	return {
		routes: [...codes].map((code) => ({
			code,
			account: ctx.routes.find((route) => route.code === code)?.account ?? "",
			takesNewMessages: code === ctx.route,
			...workToProto(work.get(code)),
		})),
	};
}

function workToProto(
	work: RouteWork | undefined,
): MessageInitShape<typeof OperatorRouteSchema> {
	if (work === undefined) return {};
	const { queued, submitting, unknown, oldestDueAt } = work;
	return {
		queued: BigInt(queued),
		submitting: BigInt(submitting),
		unknown: BigInt(unknown),
		...(oldestDueAt && { oldestDueAt: timestampFromDate(oldestDueAt) }),
	};
}
