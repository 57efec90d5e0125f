import { randomUUID } from "node:crypto";
import { sharedKafka } from "@airtower/dev/testing/bus-server";
import { eventually } from "@airtower/platform/testing/eventually";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apiClient } from "../support/api.ts";
import {
	adminClients,
	createOrganization,
	type TestOrganization,
} from "../support/organization.ts";
import { type Prometheus, startPrometheus } from "../support/prometheus.ts";
import { startTestSystem, type TestSystem } from "../support/test-system.ts";
import { metricNames, readExpressions, readRules } from "./monitoring-files.ts";
import { scrape, sendUntilDelivered } from "./scrape.ts";

const { source, brokers } = await sharedKafka();

/** What the kubelet exports of volumes. */
const FOREIGN = /\bkubelet_/;
/** The suffixes under which one metric is exported. */
const SERIES = /_(bucket|count|sum)$/;

describe.skipIf(source === undefined)("a system's metrics", () => {
	let running: TestSystem;

	beforeAll(async () => {
		// What is scraped is one process of each.
		running = await startTestSystem({ kafka: brokers, replicas: 1 });
	});
	afterAll(() => running.dispose());

	describe("while nobody has used it", () => {
		let prometheus: Prometheus;

		beforeAll(async () => {
			const { addresses, deliveryOpsUrl } = running.system;
			const urls = Object.values(addresses).map(({ opsUrl }) => opsUrl);
			prometheus = await startPrometheus(
				[...urls, deliveryOpsUrl].map((url) => new URL(url).host),
				await readRules(),
			);
		});

		afterAll(() => prometheus.close());

		test("has a value for every rule and every panel", async () => {
			const expressions = (await readExpressions()).filter(
				(expression) => !FOREIGN.test(expression),
			);
			expect(expressions.length).toBeGreaterThan(100);
			const isEmpty = async (expression: string) =>
				(await prometheus.query(comparedBy(expression))).size === 0;
			await eventually(async () => {
				const empty: string[] = [];
				for (const expression of new Set(expressions))
					if (await isEmpty(expression)) empty.push(expression);
				expect(empty).toEqual([]);
			});
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

	describe("in use", () => {
		let organization: TestOrganization;

		beforeAll(async () => {
			organization = await createOrganization(adminClients(running.system), 10);
		});

		test("has every metric that a rule or a dashboard names", async () => {
			const { system } = running;
			await sendUntilDelivered(system, organization);
			const rules = await readRules();
			const recorded = new Set(rules.match(/(?<=record: )\S+/g));
			const named = new Set((await readExpressions()).flatMap(metricNames));
			expect(named.size).toBeGreaterThan(50);
			await eventually(async () => {
				const exported = new Set([
					...(await scrape(system)).types,
					...recorded,
				]);
				const missing = [...named].filter(
					(name) =>
						!FOREIGN.test(name) &&
						!exported.has(name) &&
						!exported.has(name.replace(SERIES, "")),
				);
				expect(missing).toEqual([]);
			});
		});

		test("tells of a route its submits, window, binds and receipts, and of a balance that is off", async () => {
			const { system } = running;
			await sendUntilDelivered(system, organization);
			const sql = postgres(system.adminDatabaseUrl, { max: 1 });
			await sql`
				update accounts.balances
				set balance = balance + 3
				where organization_id = ${organization.id}
			`;
			await sql.end();
			await eventually(async () => {
				const { sumOf } = await scrape(system);
				expect(sumOf("messaging_submits_total", `status="0x00"`)).toBe(2);
				expect(sumOf("messaging_receipt_delay_seconds_count")).toBe(2);
				expect(sumOf("messaging_route_window")).toBeGreaterThan(0);
				expect(sumOf("messaging_route_outstanding")).toBe(0);
				expect(sumOf("messaging_route_binds")).toBe(
					sumOf("messaging_route_binds_wanted"),
				);
				expect(sumOf("accounts_quota_drift_units")).toBe(3);
			});
		});

		test("tells how old the oldest message without an operator, and the oldest callback without a receiver are", async () => {
			const { system } = running;
			const client = apiClient(system.baseUrl, organization.apiKey);
			/** A busy machine may be late with a response; the key lets the request count once. */
			const post = (path: string, body: object) => {
				const once = { "idempotency-key": randomUUID() };
				return eventually(async () =>
					expect((await client.post(path, body, once)).status).toBe(202),
				);
			};
			await post("/webhooks", {
				url: "http://127.0.0.1:9/",
				subscribed_events: ["message.delivered"],
			});
			await sendUntilDelivered(system, organization);
			await system.kill("smsc");
			await post("/sms/send", { to: "+33612345678", message: "late" });
			await client.close();
			await eventually(async () => {
				const { sumOf } = await scrape(system);
				expect(sumOf("messaging_unsent_age_seconds")).toBeGreaterThan(1);
				expect(sumOf("messaging_route_binds")).toBe(0);
				expect(sumOf("webhooks_undelivered")).toBe(1);
				expect(sumOf("webhooks_undelivered_age_seconds")).toBeGreaterThan(1);
			});
		});
	});
});

/** An expression that compares or leaves out has a value only where that holds: what it compares must have one. */
function comparedBy(expression: string): string {
	return expression
		.replaceAll("$__rate_interval", "1m")
		.replaceAll("$namespace", ".*")
		.replaceAll(/absent\(([^)]*)\)/g, "$1")
		.replaceAll(/\bunless\b/g, "or")
		.replaceAll(/ (==|<|>) /g, " $1 bool ");
}
