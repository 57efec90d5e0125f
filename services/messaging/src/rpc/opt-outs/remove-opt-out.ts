import { recordAct } from "@airtower/platform/audit/record-act";
import { transaction } from "@airtower/platform/database/database";
import { ADMIN } from "@airtower/platform/identity/jwk";
import { assertOrganization, callerOf } from "@airtower/platform/rpc/caller";
import { notFound } from "@airtower/platform/runtime/domain-error";
import type { OptOutService } from "@airtower/proto/messaging/v1/opt_outs";
import { deleteOptOut } from "../../store/opt-outs/opt-outs.ts";
import type { Handler } from "../handler.ts";

export const removeOptOut: Handler<
	typeof OptOutService.method.removeOptOut
> = async (ctx, request, context) => {
	const organizationId = request.organizationId.toLowerCase();
	assertOrganization(context, organizationId);
	const { optOutId } = request;
	await transaction(ctx.sql, async (sql) => {
		const removed = await deleteOptOut(sql, organizationId, optOutId);
		if (removed === undefined)
			throw notFound("unknown_opt_out", "There is no such opt-out.");
		const { sender, source } = removed;
		if (callerOf(context).issuer === ADMIN)
			await recordAct(sql, context, {
				organizationId,
				subject: removed.id,
				before: { sender, source },
			});
	});
	return {};
};
