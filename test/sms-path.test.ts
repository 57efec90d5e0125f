import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startCallbackLog } from "@airtower/dev/load/callback-log";
import { serviceNames } from "@airtower/dev/start/system";
import { eventually } from "@airtower/platform/testing/eventually";
import { expect, onTestFinished, test } from "vitest";
import { apiClient } from "./support/api.ts";
import { adminClients, createOrganization } from "./support/organization.ts";
import { startTestSystem, type TestSystem } from "./support/test-system.ts";

const REPOSITORY = fileURLToPath(new URL("..", import.meta.url));
/** Several rounds of every loop that works more than once a minute; longer than a message takes to its end, ms. */
const REST_MS = 24_000;
/** Until what a message leaves to the loops is done, ms. */
const ENDS_MS = 12_000;
/** What runs in one of them by chance, as a retry of a busy machine, does not run for every message. */
const MAX_RUNS = 3;

/** All runs, on a busy machine, ms. */
const LONGEST_MS = 900_000;

/** Connections between services open and close when they will, and a call makes its token anew once that is old. */
const CONNECTIONS = /^platform\/src\/(rpc\/http|identity)\//;

/** What node writes of a process that runs with NODE_V8_COVERAGE. */
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

/** Loaded by each process: it writes on this signal which functions ran since it did so last. */
const TAKE_COVERAGE = `data:text/javascript,${encodeURIComponent(
	'import { takeCoverage } from "node:v8"; process.on("SIGUSR2", () => takeCoverage());',
)}`;

/** A system, and functions of its services that ran since they were last asked for, as `path:offset`. */
async function startCoveredSystem(): Promise<
	TestSystem & { functionsThatRan(): Promise<Set<string>> }
> {
	const folder = await mkdtemp(join(tmpdir(), "airtower-coverage-"));
	onTestFinished(() => rm(folder, { recursive: true, force: true }));
	const env = {
		NODE_V8_COVERAGE: folder,
		NODE_OPTIONS: `--import=${TAKE_COVERAGE}`,
	};
	const started = await startTestSystem({
		replicas: 1,
		env: Object.fromEntries(serviceNames.map((name) => [name, env])),
	});
	onTestFinished(started.dispose);
	const pids = [...serviceNames, "messaging-delivery"].map((name) =>
		Number(started.system.pids()[name]),
	);
	return {
		...started,
		async functionsThatRan() {
			for (const pid of pids) process.kill(pid, "SIGUSR2");
			const ran = new Set<string>();
			for (const pid of pids)
				await eventually(async () => {
					const names = await readdir(folder);
					const name = names.find((one) => one.startsWith(`coverage-${pid}-`));
					const path = join(folder, name ?? `none of ${pid}`);
					// Half a file is no JSON: it is read again.
					for (const one of functionsOf(await readFile(path, "utf8")))
						ran.add(one);
					await rm(path);
				});
			return ran;
		},
	};
}

function* functionsOf(coverage: string): Iterable<string> {
	for (const { url, functions } of (JSON.parse(coverage) as Coverage).result) {
		if (!url.startsWith("file://")) continue;
		const path = fileURLToPath(url).replace(REPOSITORY, "");
		if (!/^(services|platform|proto)\/.*\.ts$/.test(path)) continue;
		if (path.includes("/gen/")) continue;
		for (const { functionName, ranges } of functions)
			if (functionName !== "" && ranges.some(({ count }) => count > 0))
				yield `${path}:${ranges[0]?.startOffset}`;
	}
}

test(
	"ARCHITECTURE names, in order, every file that runs for one SMS and not at rest",
	async () => {
		const { system, functionsThatRan } = await startCoveredSystem();
		const { apiKey } = await createOrganization(adminClients(system), 1_000);
		const callbacks = await startCallbackLog();
		onTestFinished(callbacks.close);
		const client = apiClient(system.baseUrl, apiKey);
		onTestFinished(() => client.close());
		const endpoint = await client.post("/webhooks", {
			url: callbacks.url,
			subscribed_events: ["message.delivered"],
		});
		expect(endpoint.status).toBe(202);
		const sendOne = async () => {
			const sms = { to: "+33612349999", message: "One" };
			const told = callbacks.eventsAt("/").size;
			expect((await client.post("/sms/send", sms)).status).toBe(202);
			await eventually(() =>
				expect(callbacks.eventsAt("/").size).toBe(told + 1),
			);
			await delay(ENDS_MS);
		};

		const listed = await listedFiles();
		const before = await functionsThatRan();
		const atRest = new Set<string>();
		const forEach: Set<string>[] = [];
		let difference: Difference;
		do {
			await delay(REST_MS);
			for (const name of await functionsThatRan()) atRest.add(name);
			await sendOne();
			forEach.push(await functionsThatRan());
			difference = compare({ listed, before, atRest, forEach });
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

interface Seen {
	readonly listed: ReadonlySet<string>;
	/** Ran while the system started and was set up. */
	readonly before: ReadonlySet<string>;
	readonly atRest: ReadonlySet<string>;
	/** Ran while one message did, for each message. */
	readonly forEach: readonly ReadonlySet<string>[];
}

function compare({ listed, before, atRest, forEach }: Seen): Difference {
	const pathOf = (name: string) => name.replace(/:\d+$/, "");
	const [first = new Set<string>()] = forEach;
	const awake = [...first]
		.filter((name) => forEach.every((ran) => ran.has(name)))
		.filter((name) => !atRest.has(name))
		.map(pathOf)
		.filter((path) => !CONNECTIONS.test(path));
	const all = new Set(
		[before, atRest, ...forEach].flatMap((ran) => [...ran]).map(pathOf),
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
