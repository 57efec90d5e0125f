import type { KeyRing } from "@airtower/platform/sealing/key-ring";
import type { DeliveryContext } from "../context.ts";
import { parseRouteSettings } from "../operators/route/route-settings.ts";
import { tryBind } from "../operators/session/try-bind.ts";
import { openSettings } from "../routes/sealed-settings.ts";
import {
	finishRouteTest,
	type RouteTestRow,
	takeRouteTest,
} from "../store/route-tests.ts";

/** Connects to an operator as an admin has asked for it: only the processes that deliver may reach operators. */
export async function testRoutes(
	{ sql }: Pick<DeliveryContext, "sql">,
	ring: KeyRing,
	signal: AbortSignal,
): Promise<number> {
	const test = await takeRouteTest(sql);
	if (test === undefined) return 0;
	await finishRouteTest(sql, test.id, await runTest(test, ring, signal));
	return 1;
}

async function runTest(
	{ route: code, settings }: RouteTestRow,
	ring: KeyRing,
	signal: AbortSignal,
) {
	try {
		const opened = openSettings(ring, { code, settings });
		const route = parseRouteSettings(code, opened);
		const problem = await tryBind(route, signal);
		if (problem !== undefined) return { passed: false, result: problem };
		return { passed: true, result: `bound at ${route.host}:${route.port}` };
	} catch (error) {
		const result = error instanceof Error ? error.message : String(error);
		return { passed: false, result };
	}
}
