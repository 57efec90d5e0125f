import { setTimeout as delay } from "node:timers/promises";
import postgres from "postgres";
import { type Bench, openBench } from "../bench/bench.ts";
import { measureSms } from "../load/sms.ts";
import { readCpuSeconds } from "./cpu-times.ts";
import { readBrokerBytes, readDatabaseBytes } from "./disk-use.ts";

export interface Measured {
	/** Messages a second; 0 is a system at rest. */
	readonly rate: number;
	/** That each process keeps busy. */
	readonly cores: ReadonlyMap<string, number>;
	/** A message; 0 at rest. */
	readonly bytes: ReadonlyMap<string, number>;
}

const CONNECTIONS = 256;
/** Until then the processes still compile what they run often. */
const WARM_UP = { ratePerSecond: 300, seconds: 15, run: "warm-up" };

/** Sends for so many seconds at each rate, and counts until the last callback has been received. */
export async function measureCosts(
	rates: readonly number[],
	seconds: number,
): Promise<Measured[]> {
	const bench = await openBench();
	process.once("SIGINT", () => {
		void bench.close().finally(() => process.exit(130));
	});
	const sql = postgres(bench.system.adminDatabaseUrl, { max: 1 });
	try {
		await measureSms(bench.target, { ...WARM_UP, connections: CONNECTIONS });
		await bench.untilAtRest();
		const measured: Measured[] = [];
		for (const rate of rates)
			measured.push(await measureAt(bench, sql, rate, seconds));
		return measured;
	} finally {
		await sql.end();
		await bench.close();
	}
}

async function measureAt(
	bench: Bench,
	sql: postgres.Sql,
	rate: number,
	seconds: number,
): Promise<Measured> {
	const { system } = bench;
	const readBytes = async () =>
		new Map([
			...(await readDatabaseBytes(sql)),
			["logs of one broker", await readBrokerBytes(system.dataDir)] as const,
		]);
	const cpu = await readCpuSeconds(system.pids());
	const bytes = await readBytes();
	const startedAt = performance.now();
	await send(bench, rate, seconds);
	const elapsedS = (performance.now() - startedAt) / 1_000;
	const cpuTaken = increase(cpu, await readCpuSeconds(system.pids()));
	const written = increase(bytes, await readBytes());
	return {
		rate,
		cores: divided(cpuTaken, elapsedS),
		bytes: divided(written, rate === 0 ? Infinity : rate * seconds),
	};
}

async function send(
	{ target, untilAtRest }: Bench,
	rate: number,
	seconds: number,
): Promise<void> {
	if (rate === 0) return void (await delay(seconds * 1_000));
	const load = { ratePerSecond: rate, seconds, run: `at-${rate}` };
	await measureSms(target, { ...load, connections: CONNECTIONS });
	await untilAtRest();
}

function increase(
	before: ReadonlyMap<string, number>,
	after: ReadonlyMap<string, number>,
): Map<string, number> {
	return new Map(
		[...after].map(([name, value]) => [name, value - (before.get(name) ?? 0)]),
	);
}

function divided(
	values: ReadonlyMap<string, number>,
	by: number,
): Map<string, number> {
	return new Map([...values].map(([name, value]) => [name, value / by]));
}
