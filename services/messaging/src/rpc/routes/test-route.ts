import { setTimeout as delay } from "node:timers/promises";
import { recordAct } from "@airtower/platform/audit/record-act";
import type { Db } from "@airtower/platform/database/database";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import { unavailable } from "@airtower/platform/runtime/domain-error";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import type { MessagingAdminService } from "@airtower/proto/messaging/v1/admin";
import { changeSettings } from "../../operators/route/route-settings.ts";
import { openSettings, sealSettings } from "../../routes/sealed-settings.ts";
import {
	insertRouteTest,
	type RouteTestResult,
	takeRouteTestResult,
} from "../../store/routes/route-tests.ts";
import { findRoute } from "../../store/routes/routes.ts";
import type { Handler } from "../handler.ts";
import { assertFound, checkSettings, requireRing } from "./stored-route.ts";

/** Longer than connections and binds of a test may take together, ms. */
const LONGEST_TEST_MS = 40_000;
const LOOK_EVERY_MS = 200;

/** The connection is one beside those of the route: an operator that grants no more says so. */
export const testRoute: Handler<
	typeof MessagingAdminService.method.testRoute
> = async (ctx, { code, settings: changes }, context) => {
	assertOrganization(context, "*");
	const ring = requireRing(ctx);
	const row = assertFound(await findRoute(ctx.sql, code));
	const tried = changeSettings(openSettings(ring, row), changes);
	checkSettings(row, tried);
	const settings = sealSettings(ring, code, tried);
	const id = uuidv7();
	await insertRouteTest(ctx.sql, { id, route: code, settings });
	const { passed, result } = await waitForResult(ctx.sql, id, context.signal);
	await recordAct(ctx.sql, context, { subject: code, after: { passed } });
	return { passed, result };
};

async function waitForResult(
	sql: Db,
	id: string,
	signal: AbortSignal,
): Promise<RouteTestResult> {
	const until = performance.now() + LONGEST_TEST_MS;
	while (performance.now() < until) {
		const result = await takeRouteTestResult(sql, id);
		if (result !== undefined) return result;
		await delay(LOOK_EVERY_MS, undefined, { signal });
	}
	throw unavailable(
		"no_delivery",
		"No process that delivers has taken the test: is one running?",
	);
}
