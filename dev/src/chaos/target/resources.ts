import { readdir, readFile } from "node:fs/promises";
import type { ChaosSystem } from "./chaos-system.ts";

export interface Resources {
	/** Resident memory by process, MB. */
	readonly memoryMb: ReadonlyMap<string, number>;
	/** Open file descriptors by process. */
	readonly handles: ReadonlyMap<string, number>;
	/** Connections to PostgreSQL, but our own. */
	readonly connections: number;
}

export type Baseline = Resources;

/** Servers have caches of their own: only our processes are measured. */
const SERVERS = ["postgres", "kafka"];
const KB_PER_MB = 1_024;

/** @throws Error where there is no /proc, or a process has just ended */
export async function readResources({
	system,
	sql,
}: Pick<ChaosSystem, "system" | "sql">): Promise<Resources> {
	const memoryMb = new Map<string, number>();
	const handles = new Map<string, number>();
	for (const [name, pid] of Object.entries(system.pids())) {
		if (SERVERS.includes(name)) continue;
		if (pid === undefined) throw new Error(`${name} is down`);
		const status = await readFile(`/proc/${pid}/status`, "utf8");
		const kb = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
		memoryMb.set(name, Math.round(kb / KB_PER_MB));
		handles.set(name, (await readdir(`/proc/${pid}/fd`)).length);
	}
	const [row] = await sql<{ count: number }[]>`
		select count(*)::int as count
		from pg_stat_activity
		where backend_type = 'client backend'
		and application_name <> 'chaos'
	`;
	return { memoryMb, handles, connections: row?.count ?? 0 };
}
