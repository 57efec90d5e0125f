import type { KeyRing } from "@airtower/platform/sealing/key-ring";
import type { DeliveryContext } from "../../context.ts";
import type { Egress } from "../../operators/http/egress.ts";
import { type TryResult, tryOperator } from "../../operators/open-operator.ts";
import { parseRouteSettings } from "../../operators/route/route-settings.ts";
import { openSettings } from "../../routes/sealed-settings.ts";
import {
	finishRouteTest,
	type RouteTestRow,
	takeRouteTest,
} from "../../store/routes/route-tests.ts";

export interface RouteTestParts {
	readonly ring: KeyRing;
	readonly egress: Egress;
}

/** Connects to an operator as an admin has asked for it: only the processes that deliver may reach operators. */
export async function testRoutes(
	{ sql }: Pick<DeliveryContext, "sql">,
	{ ring, egress }: RouteTestParts,
	signal: AbortSignal,
): Promise<number> {
	const test = await takeRouteTest(sql);
	if (test === undefined) return 0;
	await finishRouteTest(
		sql,
		test.id,
		await runTest(test, { ring, egress }, signal),
	);
	return 1;
}

async function runTest(
	{ route: code, settings }: RouteTestRow,
	{ ring, egress }: RouteTestParts,
	signal: AbortSignal,
): Promise<TryResult> {
	try {
		const opened = openSettings(ring, { code, settings });
		const route = parseRouteSettings(code, opened);
		return await tryOperator(route, egress, signal);
	} catch (error) {
		const result = error instanceof Error ? error.message : String(error);
		return { passed: false, result };
	}
}
