import { isDeepStrictEqual } from "node:util";
import { recordAct, recordNothing } from "@airtower/platform/audit/record-act";
import { transaction } from "@airtower/platform/database/database";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { MessagingAdminService } from "@airtower/proto/messaging/v1/admin";
import { routeRemoved } from "../../errors.ts";
import {
	changeSettings,
	showChange,
} from "../../operators/route/route-settings.ts";
import { openSettings, sealSettings } from "../../routes/sealed-settings.ts";
import { lockRoute, updateRouteSettings } from "../../store/routes/routes.ts";
import type { Handler } from "../handler.ts";
import {
	assertFound,
	checkSettings,
	readStoredRoute,
	requireRing,
} from "./stored-route.ts";

export const setRoute: Handler<
	typeof MessagingAdminService.method.setRoute
> = async (ctx, { code, settings: changes }, context) => {
	assertOrganization(context, "*");
	const ring = requireRing(ctx);
	const route = await transaction(ctx.sql, async (sql) => {
		const row = assertFound(await lockRoute(sql, code, false));
		if (row.state === "removed") throw routeRemoved();
		const before = openSettings(ring, row);
		const wanted = changeSettings(before, changes);
		const { account } = checkSettings(row, wanted);
		const after = { ...wanted, account };
		if (isDeepStrictEqual(before, after)) recordNothing(context);
		else {
			await updateRouteSettings(sql, code, sealSettings(ring, code, after));
			const facts = showChange(before, after);
			await recordAct(sql, context, { subject: code, ...facts });
		}
		return readStoredRoute(sql, ring, code);
	});
	return { route };
};
