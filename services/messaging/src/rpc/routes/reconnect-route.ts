import { recordAct } from "@airtower/platform/audit/record-act";
import { transaction } from "@airtower/platform/database/database";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { MessagingAdminService } from "@airtower/proto/messaging/v1/admin";
import { unknownRoute } from "../../errors.ts";
import { requestReconnect } from "../../store/routes/route-connections.ts";
import type { Handler } from "../handler.ts";

export const reconnectRoute: Handler<
	typeof MessagingAdminService.method.reconnectRoute
> = async (ctx, { code }, context) => {
	assertOrganization(context, "*");
	const processes = await transaction(ctx.sql, async (sql) => {
		const asked = await requestReconnect(sql, code);
		if (asked === 0)
			throw unknownRoute("No process delivers on a route of this code.");
		await recordAct(sql, context, {
			subject: code,
			after: { processes: asked },
		});
		return asked;
	});
	return { processes };
};
