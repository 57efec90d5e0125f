import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { InboundAdminService } from "@airtower/proto/messaging/v1/inbound";
import { listInboundNumbers as listNumbers } from "../../store/inbound/inbound-numbers.ts";
import type { Handler } from "../handler.ts";
import { numberToProto } from "./inbound-to-proto.ts";

const MAX_LISTED = 10_000;

export const listInboundNumbers: Handler<
	typeof InboundAdminService.method.listInboundNumbers
> = async ({ sql }, _request, context) => {
	assertOrganization(context, "*");
	const rows = await listNumbers(sql, MAX_LISTED + 1);
	return {
		numbers: rows.slice(0, MAX_LISTED).map(numberToProto),
		more: rows.length > MAX_LISTED,
	};
};
