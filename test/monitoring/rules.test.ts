import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { renderDashboards } from "@airtower/dev/monitoring/write-dashboards";
import { expect, onTestFinished, test } from "vitest";
import { metricNames, readDashboards, readRules } from "./monitoring-files.ts";

const UNIT_TESTS = "rules.promtool.yaml";
/** What takes 15 s of a core may wait for one, ms. */
const TIMEOUT_MS = 400_000;

/** Debian's package `prometheus` has it. Without it the test fails. */
async function promtool(folder: string, ...args: string[]): Promise<string> {
	const done = await promisify(execFile)("promtool", args, { cwd: folder });
	return done.stdout;
}

async function foldersOfRules(): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), "airtower-rules-"));
	onTestFinished(() => rm(folder, { recursive: true }));
	await writeFile(join(folder, "rules.yaml"), await readRules());
	const unitTests = new URL(UNIT_TESTS, import.meta.url);
	await cp(unitTests, join(folder, UNIT_TESTS));
	return folder;
}

test("Prometheus takes the rules, and they fire when they should and not otherwise", {
	timeout: TIMEOUT_MS,
}, async () => {
	const folder = await foldersOfRules();
	const checked = await promtool(folder, "check", "rules", "rules.yaml");
	expect(checked).toContain("SUCCESS");
	const tried = await promtool(folder, "test", "rules", UNIT_TESTS);
	expect(tried).toContain("SUCCESS");
});

test("every alert has a unit test and an entry in the runbook, and every entry its alert", async () => {
	const read = (path: string) =>
		readFile(new URL(path, import.meta.url), "utf8");
	const rules = await readRules();
	const alerts = new Set(rules.match(/(?<=alert: )\w+/g));
	const tested = (await read(UNIT_TESTS)).match(/(?<=alertname: )\w+/g);
	const runbook = await read("../../deploy/k8s/RUNBOOK.md");
	const entries = runbook.match(/(?<=^\| `)Airtower\w+/gm);
	expect(new Set(entries)).toEqual(alerts);
	expect(new Set(tested)).toEqual(alerts);
	expect(alerts.size).toBeGreaterThan(0);
});

test("the rule about the database's size knows the size of its volume", async () => {
	const cluster = await readFile(
		new URL(
			"../../deploy/k8s/dependencies/postgres/cluster.yaml",
			import.meta.url,
		),
		"utf8",
	);
	const [, gib] = / storage: \{size: (\d+)Gi\}/.exec(cluster) ?? [];
	const known = (await readRules()).match(/\d+(?= \* 2 \^ 30)/g);
	expect(known).toEqual([gib, gib]);
});

test("the dashboards are those that their definitions write", async () => {
	expect(await readDashboards()).toEqual(
		new Map([...renderDashboards()].toSorted()),
	);
});

test("a dashboard shows each metric of the chosen namespaces alone", async () => {
	const expressions = [...(await readDashboards()).values()].flatMap((text) =>
		[...text.matchAll(/"expr": (".*")/g)].map(
			([, quoted = '""']) => JSON.parse(quoted) as string,
		),
	);
	expect(expressions.length).toBeGreaterThan(80);
	for (const expression of expressions)
		expect(expression.split('{namespace=~"$namespace"').length - 1).toBe(
			metricNames(expression).length,
		);
});

test("the names of metrics are found in an expression", () => {
	expect(
		metricNames(`histogram_quantile(0.9, sum by (le, a) (rate(x_bucket{b="c d"}[5m]))) > 0.2
			and on (b) (max without (c) (y) / (airtower:z:burn1h or absent(v)))`),
	).toEqual(["x_bucket", "y", "airtower:z:burn1h", "v"]);
});
