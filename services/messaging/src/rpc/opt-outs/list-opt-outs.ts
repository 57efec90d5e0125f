import { cutPage, uuidPageStart } from "@airtower/platform/database/page";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { OptOutService } from "@airtower/proto/messaging/v1/opt_outs";
import { findOptOuts } from "../../store/opt-outs/opt-outs.ts";
import type { Handler } from "../handler.ts";
import { optOutToProto } from "./opt-out-to-proto.ts";

export const listOptOuts: Handler<
	typeof OptOutService.method.listOptOuts
> = async ({ sql }, { page, ...request }, context) => {
	const organizationId = request.organizationId.toLowerCase();
	assertOrganization(context, organizationId);
	const limit = page?.limit ?? 0;
	const found = await findOptOuts(sql, organizationId, {
		limit: limit + 1,
		after: uuidPageStart(page),
		recipient: request.recipient || undefined,
	});
	const { rows, next } = cutPage(found, limit);
	return { optOuts: rows.map(optOutToProto), ...(next && { next }) };
};
