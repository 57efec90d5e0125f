import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { startupSentence } from "./lifecycle.ts";

const LIFECYCLE = new URL("./lifecycle.ts", import.meta.url).href;

/** A process whose service starts by the text of a function; resolves once the start is under way. */
async function startProcess(start: string) {
	const child = spawn(
		process.execPath,
		[
			"--input-type=module",
			"--eval",
			`
				import { runMain } from ${JSON.stringify(LIFECYCLE)};
				setInterval(() => {}, 1_000);
				await runMain("test", () => {
					console.log("starting");
					return (${start})();
				});
			`,
		],
		{ stdio: ["ignore", "pipe", "inherit"] },
	);
	onTestFinished(() => void child.kill("SIGKILL"));
	let output = "";
	child.stdout.setEncoding("utf8").on("data", (text) => {
		output += text;
	});
	const ended = once(child, "close").then(([code]) => ({ code, output }));
	await once(child.stdout, "data");
	return { child, ended };
}

test("a process that is told to stop while its start waits ends", async () => {
	const { child, ended } = await startProcess("() => new Promise(() => {})");
	child.kill("SIGTERM");
	expect((await ended).code).toBe(0);
});

test("a service that gets ready after it was told to stop is closed", async () => {
	const { child, ended } = await startProcess(`async () => {
		await new Promise((resolve) => process.once("SIGTERM", resolve));
		return { close: async () => console.log("closed") };
	}`);
	child.kill("SIGTERM");
	expect(await ended).toEqual({ code: 0, output: "starting\nclosed\n" });
});

test("a second signal ends a stop that hangs", async () => {
	const { child, ended } = await startProcess(`async () => ({
		close: () => {
			process.kill(process.pid, "SIGTERM");
			return new Promise(() => {});
		},
	})`);
	child.kill("SIGTERM");
	expect((await ended).code).toBe(130);
});

test.each([
	["10.255.255.1", /^This machine has no address 10\.255\.255\.1; .*RPC_HOST/],
	["nowhere.invalid", /^No address is known for the host nowhere\.invalid; /],
])(
	"a host at which nobody can listen, %s, is one sentence without a stack",
	async (host, sentence) => {
		const server = createServer().listen(0, host);
		const [error] = await once(server, "error").catch((error) => [error]);
		expect(startupSentence(error)).toMatch(sentence);
		expect(startupSentence(error)).not.toContain("\n");
	},
);

test("a fault point that no code passes is refused in one sentence", async () => {
	const script = `
		import { runMain } from ${JSON.stringify(LIFECYCLE)};
		await runMain("test", async () => ({ close: async () => {} }));
	`;
	const child = spawn(
		process.execPath,
		["--input-type=module", "--eval", script],
		{
			env: { ...process.env, FAULT_POINTS: "messaging.after_comit:2" },
			stdio: ["ignore", "ignore", "pipe"],
		},
	);
	let output = "";
	child.stderr.setEncoding("utf8").on("data", (text) => {
		output += text;
	});
	expect(await once(child, "close")).toEqual([1, null]);
	expect(output).toMatch(
		/^test: FAULT_POINTS takes .*, not "messaging.after_comit"\.\n$/,
	);
});
