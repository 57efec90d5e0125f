import { recordAct } from "@airtower/platform/audit/record-act";
import { transaction } from "@airtower/platform/database/database";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import { conflict } from "@airtower/platform/runtime/domain-error";
import type { MessagingAdminService } from "@airtower/proto/messaging/v1/admin";
import {
	changeSettings,
	showSettings,
} from "../../operators/route/route-settings.ts";
import { sealSettings } from "../../routes/sealed-settings.ts";
import { insertRoute } from "../../store/routes/routes.ts";
import type { Handler } from "../handler.ts";
import {
	checkSettings,
	requireRing,
	storedRouteToProto,
} from "./stored-route.ts";

/** The account is stored as it is now: ids of messages stay those of the account when the address changes. */
export const addRoute: Handler<
	typeof MessagingAdminService.method.addRoute
> = async (ctx, { code, kind, paused, ...request }, context) => {
	assertOrganization(context, "*");
	const ring = requireRing(ctx);
	const given = changeSettings({}, request.settings);
	const { account } = checkSettings({ code, kind }, given);
	const settings = { ...given, account };
	const state = paused ? "paused" : "active";
	const sealed = sealSettings(ring, code, settings);
	const row = await transaction(ctx.sql, async (sql) => {
		const row = await insertRoute(sql, { code, kind, state, settings: sealed });
		if (row === undefined) throw routeExists();
		await recordAct(sql, context, {
			subject: code,
			after: { kind, state, ...showSettings(settings) },
		});
		return row;
	});
	return { route: storedRouteToProto(row, settings) };
};

function routeExists() {
	return conflict("route_exists", "There is a route of this code already.", {
		field: "code",
	});
}
