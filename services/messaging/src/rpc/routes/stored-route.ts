import type { Queryable } from "@airtower/platform/database/database";
import { invalid } from "@airtower/platform/runtime/domain-error";
import type { KeyRing } from "@airtower/platform/sealing/key-ring";
import type { StoredRouteSchema } from "@airtower/proto/messaging/v1/admin";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Context } from "../../context.ts";
import { routesNotStored, unknownRoute } from "../../errors.ts";
import { BadRoute } from "../../operators/route/bad-route.ts";
import type { OperatorRoute } from "../../operators/route/operator-route.ts";
import {
	kindOf,
	parseRouteSettings,
	type RouteSettings,
	showInboundUrl,
	showSettings,
} from "../../operators/route/route-settings.ts";
import { openSettings } from "../../routes/sealed-settings.ts";
import { findRoute, type RouteRow } from "../../store/routes/routes.ts";

/** The keys that the settings of routes are sealed with. @throws DomainError where routes are not data */
export function requireRing({ ring }: Context): KeyRing {
	if (ring === undefined) throw routesNotStored();
	return ring;
}

/** @throws DomainError unknown_route for what no lookup has found */
export function assertFound<Row>(row: Row | undefined): Row {
	if (row === undefined) throw unknownRoute("There is no route of this code.");
	return row;
}

/** @throws DomainError invalid_setting that names the setting as its field */
export function checkSettings(
	{ code, kind }: Pick<RouteRow, "code" | "kind">,
	settings: RouteSettings,
): OperatorRoute {
	if (kind !== kindOf(settings))
		throw invalid(
			"invalid_setting",
			"kind",
			'A route over HTTP has a "preset" or a "description", and an SMPP route neither.',
		);
	try {
		return parseRouteSettings(code, settings);
	} catch (error) {
		if (error instanceof BadRoute)
			throw invalid("invalid_setting", error.setting, error.message);
		throw error;
	}
}

export async function readStoredRoute(
	sql: Queryable,
	ring: KeyRing,
	code: string,
): Promise<MessageInitShape<typeof StoredRouteSchema>> {
	const row = assertFound(await findRoute(sql, code));
	return storedRouteToProto(row, openSettings(ring, row));
}

export function storedRouteToProto(
	{ code, kind, state, version, createdAt, changedAt }: RouteRow,
	settings: RouteSettings,
): MessageInitShape<typeof StoredRouteSchema> {
	return {
		code,
		kind,
		state,
		version,
		settings: showSettings(settings),
		inboundUrl: showInboundUrl(settings),
		createdAt: timestampFromDate(createdAt),
		changedAt: timestampFromDate(changedAt),
	};
}
