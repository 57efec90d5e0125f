import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { InboundAdminService } from "@airtower/proto/messaging/v1/inbound";
import { findUnownedTexts } from "../../store/inbound/inbound-messages.ts";
import type { Handler } from "../handler.ts";
import { inboundToProto } from "./inbound-to-proto.ts";

const MAX_LISTED = 1_000;

export const listUnownedInbound: Handler<
	typeof InboundAdminService.method.listUnownedInbound
> = async ({ sql }, _request, context) => {
	assertOrganization(context, "*");
	const rows = await findUnownedTexts(sql, MAX_LISTED + 1);
	return {
		messages: rows.slice(0, MAX_LISTED).map(inboundToProto),
		more: rows.length > MAX_LISTED,
	};
};
