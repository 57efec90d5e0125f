import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startCallbackLog } from "@airtower/dev/load/callback-log";
import { startSystem } from "@airtower/dev/start/start-system";
import { type System, serviceNames } from "@airtower/dev/start/system";
import { eventually } from "@airtower/platform/testing/eventually";
import { expect, onTestFinished, test } from "vitest";
import { apiClient } from "./support/api.ts";
import { adminClients, createOrganization } from "./support/organization.ts";
import { startTestSystem } from "./support/test-system.ts";

const REPOSITORY = fileURLToPath(new URL("..", import.meta.url));
/** Several rounds of every loop that works more than once a minute; longer than a message takes to its end, ms. */
const REST_MS = 24_000;
/** Until what a message leaves to the loops is done, ms. */
const ENDS_MS = 12_000;
/** What runs in one of them by chance, as a retry of a busy machine, does not run for every message. */
const MAX_RUNS = 3;

/** A busy machine takes minutes to start and stop the systems of all runs, ms. */
const LONGEST_MS = 900_000;

/** Connections between services open and close when they will. */
const CONNECTIONS = /^platform\/src\/rpc\/http\//;

/** What node writes of a process that has run with NODE_V8_COVERAGE. */
interface Coverage {
	readonly result: readonly {
		readonly url: string;
		readonly functions: readonly {
			readonly functionName: string;
			readonly ranges: readonly {
				readonly startOffset: number;
				readonly count: number;
			}[];
		}[];
	}[];
}

/** Functions of ours that ran while `use` did, as `path:offset`. */
async function functionsThatRan(
	dataDir: string,
	use: (system: System) => Promise<void>,
): Promise<Set<string>> {
	for (let run = 1; ; run++) {
		try {
			return await functionsOfOneRun(dataDir, use);
		} catch (error) {
			// A process whose stop takes too long on a busy machine is killed, and leaves half a file.
			if (!(error instanceof SyntaxError) || run === MAX_RUNS) throw error;
		}
	}
}

async function functionsOfOneRun(
	dataDir: string,
	use: (system: System) => Promise<void>,
): Promise<Set<string>> {
	const folder = await mkdtemp(join(tmpdir(), "airtower-coverage-"));
	onTestFinished(() => rm(folder, { recursive: true, force: true }));
	const env = { NODE_V8_COVERAGE: folder };
	const system = await startSystem({
		dataDir,
		env: Object.fromEntries(serviceNames.map((name) => [name, env])),
	});
	try {
		await use(system);
	} finally {
		await system.stop();
	}
	const ran = new Set<string>();
	for (const file of await readdir(folder)) {
		const text = await readFile(join(folder, file), "utf8");
		for (const { url, functions } of (JSON.parse(text) as Coverage).result) {
			if (!url.startsWith("file://")) continue;
			const path = fileURLToPath(url).replace(REPOSITORY, "");
			if (!/^(services|platform|proto)\/.*\.ts$/.test(path)) continue;
			if (path.includes("/gen/")) continue;
			for (const { functionName, ranges } of functions)
				if (functionName !== "" && ranges.some(({ count }) => count > 0))
					ran.add(`${path}:${ranges[0]?.startOffset}`);
		}
	}
	return ran;
}

test(
	"ARCHITECTURE names, in order, every file that runs for one SMS and not at rest",
	async () => {
		const first = await startTestSystem();
		onTestFinished(first.dispose);
		const { system } = first;
		const { apiKey } = await createOrganization(adminClients(system), 1_000);
		const callbacks = await startCallbackLog();
		onTestFinished(callbacks.close);
		const client = apiClient(system.baseUrl, apiKey);
		const endpoint = await client.post("/webhooks", {
			url: callbacks.url,
			subscribed_events: ["message.delivered"],
		});
		expect(endpoint.status).toBe(202);
		await client.close();
		await system.stop();

		const listed = await listedFiles();
		const atRest = new Set<string>();
		const forEach: Set<string>[] = [];
		let difference: Difference;
		do {
			const rested = await functionsThatRan(system.dataDir, () =>
				delay(REST_MS),
			);
			for (const name of rested) atRest.add(name);
			const ran = await functionsThatRan(
				system.dataDir,
				async ({ baseUrl }) => {
					const client = apiClient(baseUrl, apiKey);
					const sms = { to: "+33612349999", message: "One" };
					const before = callbacks.eventsAt("/").size;
					expect((await client.post("/sms/send", sms)).status).toBe(202);
					await eventually(() =>
						expect(callbacks.eventsAt("/").size).toBe(before + 1),
					);
					await client.close();
					await delay(ENDS_MS);
				},
			);
			forEach.push(ran);
			difference = compare(listed, atRest, forEach);
		} while (!isNone(difference) && forEach.length < MAX_RUNS);
		expect(difference).toEqual({ unlisted: [], idle: [] });
	},
	LONGEST_MS,
);

interface Difference {
	/** Files that run for each message and not at rest, and are not listed. */
	readonly unlisted: readonly string[];
	/** Listed files that never run. */
	readonly idle: readonly string[];
}

const isNone = ({ unlisted, idle }: Difference) =>
	unlisted.length + idle.length === 0;

function compare(
	listed: ReadonlySet<string>,
	atRest: ReadonlySet<string>,
	forEach: readonly ReadonlySet<string>[],
): Difference {
	const pathOf = (name: string) => name.replace(/:\d+$/, "");
	const [first = new Set<string>()] = forEach;
	const awake = [...first]
		.filter((name) => forEach.every((ran) => ran.has(name)))
		.filter((name) => !atRest.has(name))
		.map(pathOf)
		.filter((path) => !CONNECTIONS.test(path));
	const all = new Set(
		[...forEach, atRest].flatMap((ran) => [...ran]).map(pathOf),
	);
	return {
		unlisted: [...new Set(awake).difference(listed)],
		idle: [...listed.difference(all)],
	};
}

/** Files that section 3 of ARCHITECTURE names, braces expanded. */
async function listedFiles(): Promise<Set<string>> {
	const text = await readFile(join(REPOSITORY, "ARCHITECTURE.md"), "utf8");
	const [, section = ""] = /^## 3\.(.*?)^## 4\./ms.exec(text) ?? [];
	const names = section.matchAll(/`([\w-]+\/[^`]*\.ts)`/g);
	return new Set(
		[...names].flatMap(([, name = ""]) => {
			const path = /^(platform|proto|test)\//.test(name)
				? name
				: `services/${name}`;
			const [, before, inner = "", after] = /^(.*)\{(.*)\}(.*)$/.exec(path) ?? [
				"",
				path,
				"",
				"",
			];
			return path.startsWith("test/")
				? []
				: inner.split(",").map((one) => `${before}${one}${after}`);
		}),
	);
}
