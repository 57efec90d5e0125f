import { ensureDemoData } from "@airtower/dev/start/demo-data";
import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { hasPython } from "../support/python.ts";
import { startTestSystem } from "../support/test-system.ts";
import { isAccepted } from "./accepted.ts";
import { runSchemathesis, type Target } from "./run.ts";

const FEWEST_REQUESTS = 1_500;
const NO_LIMIT = 1_000_000;
/** About a minute on a quiet machine, and longer where it is fetched first. */
const TIMEOUT_MS = 900_000;

const python = await hasPython();
if (!python && process.env.CI === "true")
	throw new Error("NO PYTHON: schemathesis needs Python 3.10 with venv.");

test.skipIf(!python)(
	`${python ? "" : "NO PYTHON 3.10 WITH VENV, NOT RUN: "}schemathesis with all checks finds nothing but what is accepted with a reason`,
	async () => {
		const { findings, requests, errors } = await runSchemathesis(
			await startTarget(),
		);
		expect(errors).toEqual([]);
		expect(requests).toBeGreaterThan(FEWEST_REQUESTS);
		const unexpected = findings.filter((finding) => !isAccepted(finding));
		expect(unexpected.map(({ seen }) => seen)).toEqual([]);
	},
	TIMEOUT_MS,
);

/** A fresh system with the demo's data, whose limits the many requests do not reach and which calls nobody back. */
async function startTarget(): Promise<Target> {
	const { system, dispose } = await startTestSystem({
		env: {
			gateway: { FAILED_AUTH_LIMIT: String(NO_LIMIT) },
			webhooks: { BLOCKED_NETWORKS: "0.0.0.0/0,::/0" },
		},
	});
	onTestFinished(dispose);
	const { apiKey } = await ensureDemoData(system);
	const sql = postgres(system.adminDatabaseUrl, { max: 1 });
	await sql`
		update accounts.plans
		set requests_per_minute = ${NO_LIMIT}, organization_requests_per_minute = ${NO_LIMIT}
	`;
	await sql.end();
	return { baseUrl: system.baseUrl, apiKey };
}
