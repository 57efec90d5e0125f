import { cutPage, uuidPageStart } from "@airtower/platform/database/page";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import { PageRequestSchema } from "@airtower/proto/common/v1/page";
import type { OptOutService } from "@airtower/proto/messaging/v1/opt_outs";
import { create } from "@bufbuild/protobuf";
import { findOptOuts } from "../../store/opt-outs/opt-outs.ts";
import type { Handler } from "../handler.ts";
import { optOutToProto } from "./opt-out-to-proto.ts";

/** Without erased numbers: nobody could make anything of those lines. */
export const exportOptOuts: Handler<
	typeof OptOutService.method.exportOptOuts
> = async ({ sql }, { limit, after, ...request }, context) => {
	const organizationId = request.organizationId.toLowerCase();
	assertOrganization(context, organizationId);
	const found = await findOptOuts(sql, organizationId, {
		limit: limit + 1,
		after: uuidPageStart(create(PageRequestSchema, after && { after })),
		isNamed: true,
	});
	const { rows, next } = cutPage(found, limit);
	return { optOuts: rows.map(optOutToProto), ...(next && { next }) };
};
