import { createMetrics } from "@airtower/platform/runtime/metrics";
import { eventually } from "@airtower/platform/testing/eventually";
import type { Gauge } from "prom-client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { measureRoutes } from "../src/dispatching/measure-routes.ts";
import { buildRouteTable } from "../src/domain/routing/route-table.ts";
import { createTrafficMeasures } from "../src/jobs/routes/measure-traffic.ts";
import { createRouteWatching } from "../src/jobs/routes/watch-routes.ts";
import { parseSmppRoute } from "../src/operators/route/smpp-route.ts";
import { createReceiptJudge } from "../src/receipts/receipt-judge.ts";
import type { Route } from "../src/routes/routes.ts";
import { createRunningRoutes } from "../src/routes/running-routes.ts";
import { startTestMessaging, type TestMessaging } from "./support/messaging.ts";
import { createScriptedOperator } from "./support/scripted-operator.ts";

let messaging: TestMessaging;

beforeEach(async () => {
	messaging = await startTestMessaging();
});
afterEach(() => messaging.close());

/** The values of a metric, each with its labels in one word. */
async function valuesOf(
	metric: Pick<Gauge, "get">,
): Promise<Record<string, number>> {
	const { values } = await metric.get();
	return Object.fromEntries(
		values.map(({ labels, value }) => [Object.values(labels).join(" "), value]),
	);
}

test("a route is measured by the age of what is outstanding, and its last hour beside its week", async () => {
	const { ctx, sql } = messaging;
	await sql`
		insert into route_minutes (minute, route, submitted, delivered, failed, receipt_seconds)
		select now() - ago * interval '1 minute', route, submitted, delivered, failed, 0
		from (values
			(1, 'scripted', 10, 3, 0),
			(20, 'scripted', 100, 80, 5),
			(50, 'scripted', 100, 90, 5),
			(100, 'scripted', 50, 49, 0),
			(2000, 'scripted', 50, 40, 6),
			(20, 'removed', 7, 0, 0)
		) as given (ago, route, submitted, delivered, failed)
	`;
	await sql`
		insert into route_prefix_hours (hour, route, prefix, submitted, delivered, failed)
		select date_trunc('hour', now(), 'UTC') - ago * interval '1 hour', 'scripted', prefix, submitted, delivered, failed
		from (values
			(0, '+33', 100, 92, 0),
			(0, '+44', 100, 30, 60),
			(2, '+44', 500, 450, 0),
			(100, '+44', 500, 450, 50),
			(167, '+33', 1000, 920, 80),
			(175, '+33', 9000, 0, 0)
		) as given (ago, prefix, submitted, delivered, failed)
	`;
	await createTrafficMeasures()(ctx);
	const { receiptsOutstanding, routeMessages, prefixDrop } = ctx.telemetry;
	expect(await valuesOf(receiptsOutstanding)).toEqual({
		"scripted 0-5m": 7,
		"scripted 5m-1h": 20,
		"scripted 1h-6h": 1,
		"scripted 6h-48h": 4,
	});
	expect(await valuesOf(routeMessages)).toEqual({
		"scripted hour submitted": 200,
		"scripted hour delivered": 170,
		"scripted hour failed": 10,
		"scripted week submitted": 2_000,
		"scripted week delivered": 1_820,
		"scripted week failed": 130,
	});
	const { scripted } = await valuesOf(prefixDrop);
	expect(scripted).toBeCloseTo(0.6);
});

test("a route without traffic is measured as 0", async () => {
	const { ctx } = messaging;
	await createTrafficMeasures()(ctx);
	const { receiptsOutstanding, routeMessages, prefixDrop } = ctx.telemetry;
	for (const metric of [receiptsOutstanding, routeMessages, prefixDrop]) {
		const values = Object.values(await valuesOf(metric));
		expect(values.length).toBeGreaterThan(0);
		expect(new Set(values)).toEqual(new Set([0]));
	}
});

test("that the receipts of a route do not come is measured, until they come again", async () => {
	const { ctx, sql } = messaging;
	const { readReceipts } = createRouteWatching(createReceiptJudge());
	const missing = () => valuesOf(ctx.telemetry.receiptsMissing);
	await sql`
		insert into route_minutes
		select now() - ago * interval '1 minute', 'scripted', 100, case when ago > 5 then 95 else 0 end, 0, 0
		from generate_series(0, 60) as ago
	`;
	await readReceipts(ctx);
	expect(await missing()).toEqual({ scripted: 1 });
	await sql`
		update route_minutes
		set delivered = submitted
		where minute > now() - interval '3 minutes'
	`;
	await readReceipts(ctx);
	expect(await missing()).toEqual({ scripted: 0 });
});

test("a route's health and what a segment costs are measured; the series of one that was removed are gone", async () => {
	const route = (code: string): Route => ({
		code,
		state: "active",
		version: 1,
		settings: parseSmppRoute(`smpp://u:p@127.0.0.1:9?code=${code}`),
	});
	const ctx = { ...messaging.ctx, dispatchers: [] };
	const running = createRunningRoutes(ctx, ({ code }) =>
		createScriptedOperator(code),
	);
	const metrics = createMetrics("messaging");
	measureRoutes(metrics, ctx);
	const seriesOf = async (code: string) => {
		const told = await Promise.all(
			Object.values(ctx.telemetry).map((metric) => metric.get()),
		);
		return [...(await metrics.registry.getMetricsAsJSON()), ...told]
			.filter(({ values }) =>
				values.some(({ labels }) => labels.route === code),
			)
			.map(({ name }) => name);
	};
	await running.follow([route("one"), route("two")]);
	ctx.telemetry.submits.inc({ route: "one", status: "0x45" });
	await createTrafficMeasures()(ctx);
	await createRouteWatching(createReceiptJudge()).readReceipts(ctx);
	expect(await seriesOf("one")).toEqual(await seriesOf("two"));
	expect(await seriesOf("one")).toEqual(
		expect.arrayContaining([
			"messaging_route_health",
			"messaging_route_segment_cost",
			"messaging_response_seconds",
			"messaging_submits_total",
			"messaging_receipts_outstanding",
		]),
	);
	await running.follow([route("two")]);
	await eventually(async () => {
		await createTrafficMeasures()(ctx);
		await createRouteWatching(createReceiptJudge()).readReceipts(ctx);
		expect(await seriesOf("one")).toEqual([]);
	});
	expect(await seriesOf("two")).not.toEqual([]);
	await running.stopDispatch();
	await running.closeOperators();
});

test("the metrics of a route say what it is set to, whatever its operator does", async () => {
	const metrics = createMetrics("messaging");
	const operator = createScriptedOperator("one");
	const standing = {
		code: "one",
		state: "paused",
		health: "down",
		cost: undefined,
	} as const;
	const table = buildRouteTable(1, [], [standing]);
	measureRoutes(
		metrics,
		Object({ dispatchers: [{ operator }], routes: { table: () => table } }),
	);
	const { values } = (await metrics.registry.getMetricsAsJSON()).find(
		({ name }) => name === "messaging_route_state",
	) ?? { values: [] };
	expect(values).toMatchObject([
		{ labels: { route: "one", state: "active" }, value: 0 },
		{ labels: { route: "one", state: "paused" }, value: 1 },
		{ labels: { route: "one", state: "draining" }, value: 0 },
	]);
});
