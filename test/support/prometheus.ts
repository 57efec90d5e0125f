import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@airtower/platform/runtime/ports";
import { eventually } from "@airtower/platform/testing/eventually";
import { expect } from "vitest";

export interface Prometheus {
	/** The samples of an expression now, by their labels as the server writes them. @throws Error when it is refused */
	query(expression: string): Promise<ReadonlyMap<string, number>>;
	close(): Promise<void>;
}

const INTERVAL = "1s";

/**
 * Debian's Prometheus with these rules. It asks each target, by its host and port, every second.
 * @param rules the text of a file of groups
 */
export async function startPrometheus(
	targets: readonly string[],
	rules: string,
): Promise<Prometheus> {
	const folder = await mkdtemp(join(tmpdir(), "airtower-prometheus-"));
	const config = {
		global: { scrape_interval: INTERVAL, evaluation_interval: INTERVAL },
		rule_files: ["rules.yaml"],
		scrape_configs: [{ job_name: "airtower", static_configs: [{ targets }] }],
	};
	// A JSON text is a YAML text.
	await writeFile(join(folder, "prometheus.yaml"), JSON.stringify(config));
	await writeFile(join(folder, "rules.yaml"), rules);
	const address = `127.0.0.1:${await freePort()}`;
	const server = spawn(
		"prometheus",
		[
			"--config.file=prometheus.yaml",
			"--storage.tsdb.path=data",
			`--web.listen-address=${address}`,
		],
		{ cwd: folder, stdio: "ignore" },
	);
	await untilReady(server, address);
	return {
		query: (expression) => query(address, expression),
		close: async () => {
			server.kill("SIGKILL");
			await once(server, "close");
			await rm(folder, { recursive: true });
		},
	};
}

async function untilReady(server: ChildProcess, address: string) {
	server.on("error", () => undefined);
	await eventually(async () => {
		expect(server.pid).toBeGreaterThan(0);
		const response = await fetch(`http://${address}/-/ready`);
		expect(response.status).toBe(200);
	});
}

interface Answer {
	readonly status: string;
	readonly error?: string;
	readonly data: {
		readonly result: readonly {
			readonly metric: Readonly<Record<string, string>>;
			readonly value: readonly [number, string];
		}[];
	};
}

async function query(address: string, expression: string) {
	const response = await fetch(`http://${address}/api/v1/query`, {
		method: "POST",
		body: new URLSearchParams({ query: expression }),
	});
	const { status, error, data } = (await response.json()) as Answer;
	if (status !== "success") throw new Error(`${expression}: ${error}`);
	return new Map(
		data.result.map(({ metric, value }) => [
			JSON.stringify(metric),
			Number(value[1]),
		]),
	);
}
