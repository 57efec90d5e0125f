import { cpus, totalmem } from "node:os";

/** The machine in one line: figures of different machines are not to be compared. */
export function machineLine(): string {
	const all = cpus();
	const memoryGb = Math.round(totalmem() / 2 ** 30);
	return `${all.length} cores of ${all[0]?.model.trim() ?? "an unknown CPU"}, ${memoryGb} GB, Node ${process.version}, load generator included`;
}
