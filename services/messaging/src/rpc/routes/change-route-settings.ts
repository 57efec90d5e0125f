import { isDeepStrictEqual } from "node:util";
import { recordAct, recordNothing } from "@airtower/platform/audit/record-act";
import type { Tx } from "@airtower/platform/database/database";
import type { KeyRing } from "@airtower/platform/sealing/key-ring";
import type { HandlerContext } from "@connectrpc/connect";
import { routeRemoved } from "../../errors.ts";
import {
	changeSettings,
	type RouteSettings,
	showChange,
} from "../../operators/route/route-settings.ts";
import { openSettings, sealSettings } from "../../routes/sealed-settings.ts";
import { lockRoute, updateRouteSettings } from "../../store/routes/routes.ts";
import { assertFound, checkSettings } from "./stored-route.ts";

/** A call that changes settings, within its transaction. */
interface SettingsChange {
	readonly sql: Tx;
	readonly ring: KeyRing;
	readonly context: HandlerContext;
}

/**
 * Changes settings of a route and records that; false, and nothing recorded, when they are so already.
 * @throws DomainError unknown_route, invalid_transition for a removed route, invalid_setting
 */
export async function changeRouteSettings(
	{ sql, ring, context }: SettingsChange,
	code: string,
	changes: RouteSettings,
): Promise<boolean> {
	const row = assertFound(await lockRoute(sql, code, false));
	if (row.state === "removed") throw routeRemoved();
	const before = openSettings(ring, row);
	const wanted = changeSettings(before, changes);
	const { account } = checkSettings(row, wanted);
	const after = { ...wanted, account };
	if (isDeepStrictEqual(before, after)) {
		recordNothing(context);
		return false;
	}
	await updateRouteSettings(sql, code, sealSettings(ring, code, after));
	const facts = showChange(before, after);
	await recordAct(sql, context, { subject: code, ...facts });
	return true;
}
