import { readdir, readFile } from "node:fs/promises";

/** Clock ticks of /proc in a second, on every Linux. */
const TICKS_PER_S = 100;

interface Stat {
	readonly parent: number;
	/** Its own, and of those children that have ended, ticks. */
	readonly ticks: number;
}

/**
 * CPU time that each process has taken since it began, with its children, seconds. PostgreSQL's connections are
 * children. Throws where there is no /proc.
 */
export async function readCpuSeconds(
	pids: Readonly<Record<string, number | undefined>>,
): Promise<Map<string, number>> {
	const stats = await readStats();
	const seconds = new Map<string, number>();
	for (const [name, pid] of Object.entries(pids))
		if (pid !== undefined) seconds.set(name, ticksOf(stats, pid) / TICKS_PER_S);
	return seconds;
}

function ticksOf(stats: ReadonlyMap<number, Stat>, pid: number): number {
	let ticks = stats.get(pid)?.ticks ?? 0;
	for (const [child, { parent }] of stats)
		if (parent === pid) ticks += ticksOf(stats, child);
	return ticks;
}

async function readStats(): Promise<Map<number, Stat>> {
	const stats = new Map<number, Stat>();
	for (const name of await readdir("/proc")) {
		if (!/^\d+$/.test(name)) continue;
		const line = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
		const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
		const [user, system, endedUser, endedSystem] = fields.slice(11, 15);
		const times = [user, system, endedUser, endedSystem].map(Number);
		const ticks = times.reduce((sum, time) => sum + time, 0);
		if (line !== "")
			stats.set(Number(name), { parent: Number(fields[1]), ticks });
	}
	return stats;
}
