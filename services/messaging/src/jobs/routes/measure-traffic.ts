import type { DeliveryContext } from "../../context.ts";
import { largestDrop } from "../../domain/prefix-drop.ts";
import { readEvery } from "../../read-every.ts";
import {
	AGES,
	type Outcomes,
	type PrefixFigures,
	type RouteFigures,
	readPrefixFigures,
	readRouteFigures,
} from "../../store/routes/route-figures.ts";
import type { Telemetry } from "../../telemetry.ts";

/** Figures are read again after this time, ms: they scan their tables. */
const READ_ROUTES_EVERY_MS = 60_000;
const READ_PREFIXES_EVERY_MS = 300_000;
const NOTHING: Outcomes = { submitted: 0, delivered: 0, failed: 0 };

/** Returns a round that tells of each route that runs what became of its messages, 0 where there were none. */
export function createTrafficMeasures() {
	const readRoutes = readEvery(READ_ROUTES_EVERY_MS, readRouteFigures);
	const readPrefixes = readEvery(READ_PREFIXES_EVERY_MS, (sql) =>
		readPrefixFigures(sql),
	);

	return async ({
		sql,
		telemetry,
		dispatchers,
	}: DeliveryContext): Promise<number> => {
		const figures = await readRoutes(sql);
		const byPrefix = await readPrefixes(sql);
		telemetry.receiptsOutstanding.reset();
		telemetry.routeMessages.reset();
		telemetry.prefixDrop.reset();
		for (const { operator } of dispatchers)
			tell(
				telemetry,
				operator.code,
				figures.find(({ route }) => route === operator.code),
				byPrefix.filter(({ route }) => route === operator.code),
			);
		return 0;
	};
}

function tell(
	telemetry: Telemetry,
	route: string,
	figures: RouteFigures | undefined,
	prefixes: readonly PrefixFigures[],
): void {
	for (const age of AGES)
		telemetry.receiptsOutstanding.set(
			{ route, age },
			figures?.outstanding[age] ?? 0,
		);
	const periods = {
		hour: figures?.hour ?? NOTHING,
		week: prefixes.map(({ week }) => week).reduce(add, NOTHING),
	};
	for (const [period, outcomes] of Object.entries(periods))
		for (const [state, count] of Object.entries(outcomes))
			telemetry.routeMessages.set({ route, period, state }, count);
	telemetry.prefixDrop.set({ route }, largestDrop(prefixes));
}

function add(one: Outcomes, other: Outcomes): Outcomes {
	return {
		submitted: one.submitted + other.submitted,
		delivered: one.delivered + other.delivered,
		failed: one.failed + other.failed,
	};
}
