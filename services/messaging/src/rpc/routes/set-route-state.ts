import { recordAct, recordNothing } from "@airtower/platform/audit/record-act";
import { type Tx, transaction } from "@airtower/platform/database/database";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import { conflict } from "@airtower/platform/runtime/domain-error";
import type { MessagingAdminService } from "@airtower/proto/messaging/v1/admin";
import { NEXT_ROUTE_STATES, ROUTE_STATES } from "../../domain/route-state.ts";
import { routeRemoved } from "../../errors.ts";
import { KNOWN_AFTER_S } from "../../routes/routes.ts";
import { isRuleRoute } from "../../store/routes/route-rules.ts";
import {
	lockRoute,
	type RouteRow,
	readRouteUse,
	updateRouteState,
} from "../../store/routes/routes.ts";
import type { Handler } from "../handler.ts";
import { assertFound, readStoredRoute, requireRing } from "./stored-route.ts";

export const setRouteState: Handler<
	typeof MessagingAdminService.method.setRouteState
> = async (ctx, { code, state }, context) => {
	assertOrganization(context, "*");
	const ring = requireRing(ctx);
	const wanted = ROUTE_STATES.find((one) => one === state) ?? "paused";
	const route = await transaction(ctx.sql, async (sql) => {
		const alone = wanted === "removed";
		const row = assertFound(await lockRoute(sql, code, alone));
		if (row.state === wanted) recordNothing(context);
		else {
			if (row.state === "removed") throw routeRemoved();
			if (!NEXT_ROUTE_STATES[row.state].includes(wanted)) throw isActive();
			if (wanted === "removed") await assertUnused(sql, row);
			await updateRouteState(sql, code, wanted);
			const facts = { before: { state: row.state }, after: { state: wanted } };
			await recordAct(sql, context, { subject: code, ...facts });
		}
		return readStoredRoute(sql, ring, code);
	});
	return { route };
};

async function assertUnused(sql: Tx, { code, state }: RouteRow): Promise<void> {
	const { isInUse, changedSecondsAgo } = await readRouteUse(sql, code);
	if (await isRuleRoute(sql, code))
		throw conflict(
			"route_in_use",
			"Rules name the route: remove them first, as admin rules list shows them.",
			{ field: "code" },
		);
	if (isInUse)
		throw conflict(
			"route_in_use",
			state === "paused"
				? "Messages wait for the route: drain it, so that they are sent, and remove it then."
				: "Messages still wait for the route: remove it once they are sent.",
			{ field: "code" },
		);
	if (changedSecondsAgo < KNOWN_AFTER_S)
		throw conflict(
			"route_in_use",
			`The route was changed a moment ago, and messages may still come: remove it in ${KNOWN_AFTER_S} s.`,
			{ field: "code" },
		);
}

function isActive() {
	return conflict(
		"invalid_transition",
		"The route takes new messages: drain it, and remove it once its messages are sent.",
		{ field: "state" },
	);
}
