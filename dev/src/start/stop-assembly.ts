import { StartError } from "../processes/start-error.ts";
import type { Assembly } from "./assembly.ts";
import type { AnyProcessName } from "./system.ts";

const STORAGE: readonly AnyProcessName[] = ["postgres", "kafka"];
/** Callers before those they call; the longest waits, ms, are together below the 10 s of a Ctrl-C. */
const STAGES: readonly { names: string[]; graceMs: number }[] = [
	{ names: ["gateway"], graceMs: 2_500 },
	{
		names: [
			"campaigns",
			"messaging",
			"messaging-delivery",
			"whatsapp",
			"webhooks",
			"balancer",
		],
		graceMs: 3_000,
	},
	{ names: ["accounts"], graceMs: 1_000 },
	{ names: ["smsc", "http-sms", "cloud-api"], graceMs: 500 },
	{ names: [...STORAGE], graceMs: 2_500 },
];

export async function stopAssembly(assembly: Assembly): Promise<void> {
	for (const { names, graceMs } of STAGES)
		await Promise.all(
			[...assembly.processes]
				.filter(([name]) => names.includes(withoutReplica(name)))
				.map(([, each]) => each.stop(graceMs)),
		);
	const processes = [...assembly.processes.values()];
	await Promise.all(processes.map((each) => each.closeLog()));
	assembly.ports.release();
	await assembly.state.release();
}

/** Kills the services and simulators, and keeps the storage. */
export async function discardOwnProcesses({
	processes,
}: Assembly): Promise<void> {
	const own = [...processes].filter(([name]) => !STORAGE.includes(name));
	await Promise.all(
		own.map(async ([name, each]) => {
			await each.kill();
			await each.closeLog();
			processes.delete(name);
		}),
	);
}

/** Kills everything at once, and what is being started too; the next start recovers from it. */
export async function killAssembly(assembly: Assembly): Promise<void> {
	callOff(assembly);
	const processes = [...assembly.processes.values()];
	await Promise.all(processes.map((each) => each.kill()));
}

export function callOff({ callOff }: Assembly): void {
	callOff.abort(new StartError("The start was called off."));
}

/** The process of which this one is a replica: "messaging" for "messaging-2". */
export function withoutReplica(name: string): string {
	return name.replace(/-\d+$/, "");
}
