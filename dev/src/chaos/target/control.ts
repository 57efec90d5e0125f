import type { FaultPoint } from "@airtower/platform/runtime/fault";
import { StartError } from "../../processes/start-error.ts";
import type { AnyProcessName, ExtraEnv, System } from "../../start/system.ts";
import type { Settings } from "./settings.ts";
import type { CrashLog } from "./watch.ts";

/** What faults do to processes. */
export interface Control {
	/** Kills or stops a process; one that ends stays down. */
	kill(name: AnyProcessName, signal: NodeJS.Signals): Promise<void>;
	/** Starts it, after a SIGTERM if it runs. */
	restart(name: AnyProcessName): Promise<void>;
	/** Lets it run into a fault point, at its so-manieth pass, and starts it again; `then` brings it there. */
	dieAt(
		name: AnyProcessName,
		point: FaultPoint,
		pass: number,
		then?: () => Promise<void>,
	): Promise<void>;
	/** Talks to the control address of an operator, the first by default; returns what it says. */
	operator(
		method: string,
		path: string,
		body?: object,
		of?: SmppOperator,
	): Promise<unknown>;
	/** A sentence for each process that ended and was not made to, since the last call. */
	takeUnexpectedEnds(): string[];
}

/** Codes of the routes to the simulators that can be made to misbehave. */
export type SmppOperator = "simulator" | "budget";

const POINT_TIMEOUT_MS = 60_000;

export function controlOf(
	system: System,
	settings: Settings,
	crashes: CrashLog,
): Control {
	const envOf = (name: AnyProcessName): ExtraEnv =>
		settings[name as keyof Settings] ?? {};
	const restart = (name: AnyProcessName) =>
		system.restart(name, { env: envOf(name) });
	return {
		restart,
		kill: (name, signal) => system.kill(name, signal),
		dieAt: async (name, point, pass, then) => {
			const FAULT_POINTS = `${point}:${pass}`;
			const env = { ...envOf(name), FAULT_POINTS };
			if (await startsBeforeItDies(system, name, env))
				await Promise.all([
					crashes.untilCrashed(name, POINT_TIMEOUT_MS),
					then?.(),
				]);
			await restart(name);
		},
		operator: (method, path, body, of = "simulator") =>
			callOperator(controlUrlOf(system, of), method, path, body),
		takeUnexpectedEnds: () => crashes.takeUnexpected(),
	};
}

/** False when it came to its fault point before it was ready: work was waiting for it. */
async function startsBeforeItDies(
	system: System,
	name: AnyProcessName,
	env: ExtraEnv,
): Promise<boolean> {
	try {
		await system.restart(name, { env });
		return true;
	} catch (error) {
		const isDead =
			error instanceof StartError && error.message.includes("SIGKILL");
		if (isDead) return false;
		throw error;
	}
}

function controlUrlOf(
	{ smsc, otherOperators }: System,
	operator: SmppOperator,
): string {
	const other = otherOperators.find(({ code }) => code === operator);
	return (other ?? smsc)?.controlUrl ?? "";
}

async function callOperator(
	controlUrl: string,
	method: string,
	path: string,
	body?: object,
): Promise<unknown> {
	const response = await fetch(`${controlUrl}${path}`, {
		method,
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	});
	if (!response.ok)
		throw new Error(`The operator's control: ${await response.text()}`);
	return response.json();
}
