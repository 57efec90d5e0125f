import { sharedKafka } from "@airtower/dev/testing/bus-server";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Prometheus, startPrometheus } from "../support/prometheus.ts";
import { startTestSystem, type TestSystem } from "../support/test-system.ts";
import { readExpressions, readRules } from "./monitoring-files.ts";

const { source, brokers } = await sharedKafka();

/** What the kubelet exports of volumes. */
const FOREIGN = /\bkubelet_/;
const TWO_SCRAPES_MS = 60_000;

describe.skipIf(source === undefined)("a system that nobody has used", () => {
	let running: TestSystem;
	let prometheus: Prometheus;

	beforeAll(async () => {
		running = await startTestSystem({ kafka: brokers, replicas: 1 });
		const { addresses, deliveryOpsUrl } = running.system;
		const urls = Object.values(addresses).map(({ opsUrl }) => opsUrl);
		prometheus = await startPrometheus(
			[...urls, deliveryOpsUrl].map((url) => new URL(url).host),
			await readRules(),
		);
	});

	afterAll(async () => {
		await prometheus.close();
		await running.dispose();
	});

	test("has a value for every rule and every panel", async () => {
		const expressions = (await readExpressions()).filter(
			(expression) => !FOREIGN.test(expression),
		);
		expect(expressions.length).toBeGreaterThan(100);
		const isEmpty = async (expression: string) =>
			(await prometheus.query(comparedBy(expression))).size === 0;
		await eventually(
			async () => {
				const empty: string[] = [];
				for (const expression of new Set(expressions))
					if (await isEmpty(expression)) empty.push(expression);
				expect(empty).toEqual([]);
			},
			{ timeoutMs: TWO_SCRAPES_MS },
		);
	});

	test("burns none of its error budgets", async () => {
		const burns = await prometheus.query('{__name__=~"airtower:.+:burn.+"}');
		expect(burns.size).toBe(18);
		expect(new Set(burns.values())).toEqual(new Set([0]));
	});

	test("raises no alert", async () => {
		const alerts = await prometheus.query("ALERTS");
		expect([...alerts.keys()]).toEqual([]);
	});
});

/** An expression that compares has a value only where the comparison holds: what it compares must have one. */
function comparedBy(expression: string): string {
	return expression
		.replaceAll("$__rate_interval", "1m")
		.replaceAll(/absent\(([^)]*)\)/g, "$1")
		.replaceAll(/ (==|<|>) /g, " $1 bool ");
}
