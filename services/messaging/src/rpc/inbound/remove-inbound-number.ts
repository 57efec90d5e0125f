import { recordAct } from "@airtower/platform/audit/record-act";
import { transaction } from "@airtower/platform/database/database";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import { notFound } from "@airtower/platform/runtime/domain-error";
import type { InboundAdminService } from "@airtower/proto/messaging/v1/inbound";
import { deleteInboundNumber } from "../../store/inbound/inbound-numbers.ts";
import type { Handler } from "../handler.ts";
import { readInboundNumber } from "./inbound-number.ts";
import { numberToFacts, numberToProto } from "./inbound-to-proto.ts";

export const removeInboundNumber: Handler<
	typeof InboundAdminService.method.removeInboundNumber
> = async (ctx, request, context) => {
	assertOrganization(context, "*");
	const { number, keyword } = readInboundNumber(request);
	return transaction(ctx.sql, async (sql) => {
		const removed = await deleteInboundNumber(sql, number, keyword);
		if (removed === undefined)
			throw notFound(
				"unknown_inbound_number",
				"Nobody has this number with this keyword.",
				{ field: "number" },
			);
		const { organizationId } = removed;
		const before = numberToFacts(removed);
		await recordAct(sql, context, { organizationId, subject: number, before });
		return { number: numberToProto(removed) };
	});
};
