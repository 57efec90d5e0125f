import { setTimeout as delay } from "node:timers/promises";
import postgres from "postgres";
import { measureSms } from "../../load/sms.ts";
import type { Bench } from "../bench.ts";
import { readCpuSeconds } from "../costs/cpu-times.ts";
import { readBrokerBytes, readDatabaseBytes } from "../costs/disk-use.ts";
import type { Figure } from "../figures.ts";
import { toTable } from "../table.ts";

export interface CostLoad {
	/** Messages a second, one after the other. */
	readonly rates: readonly number[];
	/** At each rate. */
	readonly seconds: number;
}

interface Measured {
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

/**
 * Sends at each rate and counts until the last callback has been received. Prints what each process and store took;
 * the figures are the sums of all processes. Throws where there is no /proc.
 */
export async function measureCosts(
	bench: Bench,
	{ rates, seconds }: CostLoad,
): Promise<Figure[]> {
	const { target, untilAtRest } = bench;
	await measureSms(target, { ...WARM_UP, connections: CONNECTIONS });
	await untilAtRest();
	const sql = postgres(bench.system.adminDatabaseUrl, { max: 1 });
	const measured: Measured[] = [];
	try {
		for (const rate of [0, ...rates])
			measured.push(await measureAt(bench, sql, rate, seconds));
	} finally {
		await sql.end();
	}
	const cores = costTable("cores", measured, "cores", 3);
	const bytes = costTable("bytes a message", measured, "bytes", 0);
	process.stdout.write(`\n${cores}\n\n${bytes}\n\n`);
	return measured.map((at) => ({
		name: `cores of all processes at ${at.rate}/s`,
		value: at.cores.values().reduce((sum, value) => sum + value, 0),
		unit: "cores",
	}));
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

function costTable(
	title: string,
	measured: readonly Measured[],
	cost: "cores" | "bytes",
	digits: number,
): string {
	const names = [...(measured[0]?.[cost].keys() ?? [])];
	return toTable([
		[title, ...measured.map(({ rate }) => `${rate}/s`)],
		...names.map((name) => [
			name,
			...measured.map((at) => (at[cost].get(name) ?? 0).toFixed(digits)),
		]),
	]);
}
