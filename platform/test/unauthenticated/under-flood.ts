import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { WebhooksService } from "@airtower/proto/webhooks/v1/webhooks";
import { expect, onTestFinished } from "vitest";
import { AUDIENCE, ORGANIZATION } from "../../src/rpc/testing/server.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { trustedKeysText } from "../../src/testing/identities.ts";
import { testRpcClient } from "../../src/testing/rpc-client.ts";

/** Of the smallest deployment of a service. */
const MEMORY_MIB = 512;
const QUIET_MS = 1_500;
const FLOOD_MS = 5_000;
/** On a quiet machine; on a busy one so many times what a call takes without a flood. */
const MAX_P99_MS = 1_000;
const MAX_SLOWDOWN = 10;
/**
 * An attack that works does so each time, and a machine that stands still for a moment does not: the best one counts.
 */
const MAX_ROUNDS = 3;
/** Of the memory before all floods, which is reached again within {@link BACK_WITHIN_MS}. */
const MAX_GROWTH = 1.5;
const BACK_WITHIN_MS = 60_000;
const CALL_TIMEOUT_MS = 60_000;
const CALL_EVERY_MS = 20;
/** Calls over one connection before one over a new connection. */
const NEW_EVERY = 25;
const WARM_ROUNDS = 300;
const WARM_CALLS = 50;

/** A service of limited memory, as warm as one that has worked for a while. */
export interface Target {
	readonly server: Awaited<ReturnType<typeof startLimited>>;
	readonly callGood: () => Promise<unknown>;
	readonly warmMib: number;
}

/** What a good caller met with during a flood, and the longest time that it may have waited. */
interface Round {
	readonly failed: number;
	readonly p99Ms: number;
	readonly boundMs: number;
	readonly quietMs: number;
}

/** A good caller calls the service during a flood; all that must hold is asserted. */
export async function withstand(flood: string, target: Target): Promise<void> {
	const rounds: Round[] = [];
	while (!rounds.some(isWithstood) && rounds.length < MAX_ROUNDS)
		rounds.push(await floodOnce(flood, target));
	expect(rounds.some(isWithstood), JSON.stringify(rounds)).toBe(true);
	expect(target.server.hasEnded()).toBe(false);
}

function isWithstood({ failed, p99Ms, boundMs }: Round): boolean {
	return failed === 0 && p99Ms < boundMs;
}

/** One for all floods: what one of them breaks, the next ones find broken. */
export async function startTarget(): Promise<Target> {
	const server = await startLimited();
	const callGood = goodCaller(server.port);
	for (let round = 0; round < WARM_ROUNDS; round++)
		await Promise.all(Array.from({ length: WARM_CALLS }, callGood));
	return { server, callGood, warmMib: server.rssMib() };
}

async function floodOnce(
	flood: string,
	{ server, callGood, warmMib }: Target,
): Promise<Round> {
	const before = summary(await callFor(QUIET_MS, callGood));
	const attacker = await startFlood(flood, server.port);
	const flooded = summary(await callFor(FLOOD_MS, callGood));
	attacker.kill("SIGKILL");
	expect(server.mostMib()).toBeLessThan(MEMORY_MIB);
	// What the flood left is collected as the service works on.
	const after = await eventually(
		async () => {
			const quiet = summary(await callFor(QUIET_MS, callGood));
			expect(server.rssMib()).toBeLessThan(warmMib * MAX_GROWTH);
			return quiet;
		},
		{ timeoutMs: BACK_WITHIN_MS },
	);
	const quietMs = Math.max(before.p99Ms, after.p99Ms);
	const boundMs = Math.max(MAX_P99_MS, quietMs * MAX_SLOWDOWN);
	return { ...flooded, boundMs, quietMs };
}

async function startLimited() {
	const program = new URL("./limited-server.ts", import.meta.url);
	const child = fork(fileURLToPath(program), [trustedKeysText], {
		execArgv: [`--max-old-space-size=${MEMORY_MIB * 0.75}`],
	});
	const [{ port }] = (await once(child, "message")) as [{ port: number }];
	let [now, most] = [0, 0];
	child.on("message", ({ rssMib }: { rssMib: number }) => {
		now = rssMib;
		most = Math.max(most, rssMib);
	});
	return {
		port,
		rssMib: () => now,
		mostMib: () => most,
		hasEnded: () => child.exitCode !== null || child.signalCode !== null,
		kill: () => void child.kill("SIGKILL"),
	};
}

async function startFlood(flood: string, port: number) {
	const program = new URL("./flood-process.ts", import.meta.url);
	const args = [flood, String(port)];
	const child = fork(fileURLToPath(program), args, { execArgv: [] });
	onTestFinished(() => void child.kill("SIGKILL"));
	await once(child, "message");
	return child;
}

/** A service that calls another on the same address as the flood, each time over a new connection. */
function goodCaller(port: number) {
	const connectTo = () =>
		testRpcClient({
			service: WebhooksService,
			baseUrl: `http://127.0.0.1:${port}`,
			audience: AUDIENCE,
			organization: ORGANIZATION,
			timeoutMs: CALL_TIMEOUT_MS,
		});
	const kept = connectTo();
	let calls = 0;
	const request = { organizationId: ORGANIZATION, page: { limit: 1 } };
	return () =>
		(++calls % NEW_EVERY === 0 ? connectTo() : kept).listEndpoints(request);
}

/** Times of calls that begin at even intervals, ms; NaN for one that failed. */
async function callFor(
	ms: number,
	call: () => Promise<unknown>,
): Promise<number[]> {
	const until = performance.now() + ms;
	const calls: Promise<number>[] = [];
	while (performance.now() < until) {
		const startedAt = performance.now();
		calls.push(
			call().then(
				() => performance.now() - startedAt,
				() => Number.NaN,
			),
		);
		await delay(CALL_EVERY_MS);
	}
	return Promise.all(calls);
}

function summary(calls: readonly number[]) {
	const times = calls.filter((ms) => !Number.isNaN(ms)).sort((a, b) => a - b);
	return {
		p99Ms: Math.round(times[Math.floor(times.length * 0.99)] ?? Infinity),
		failed: calls.length - times.length,
	};
}
