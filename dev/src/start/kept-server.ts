import { setTimeout as delay } from "node:timers/promises";
import { giveWay } from "../give-way.ts";
import { createBackOff } from "./back-off.ts";
import type { SystemEvent } from "./system.ts";
import { stopOrForce } from "./teardown.ts";

/** A server of others that runs: PostgreSQL or Kafka. */
export interface RunningServer {
	/** Process id of the server that runs now, or ran last. */
	readonly pid: number | undefined;
	/** Resolves when the server of now has ended, with how. */
	ended(): Promise<string>;
	/** Starts a server that has ended again, on the same port and data. */
	restart(): Promise<void>;
	stop(): Promise<void>;
}

export interface KeptServerSpec<S extends RunningServer> {
	readonly name: string;
	/** Starts it for the first time; the signal calls off this and every later start. */
	readonly start: (signal: AbortSignal) => Promise<S>;
	readonly restartCrashed: boolean;
	/** True when others come first after each start but the first, see {@link giveWay}. */
	readonly givesWay: boolean;
	readonly onEvent: (event: SystemEvent) => void;
	/** Told when the server has ended. */
	readonly onEnd: () => Promise<void>;
	/** Aborted when the start of the system is called off. */
	readonly signal: AbortSignal;
	/** Ends what a stop does not end in time. */
	readonly force: () => Promise<void>;
}

/** A server that is kept running while it is wanted. */
export interface KeptServer<S extends RunningServer = RunningServer> {
	readonly server: S;
	/** Process id, undefined while it is down. */
	pid(): number | undefined;
	/** Stops it, the harder way after the grace. */
	stop(graceMs: number): Promise<void>;
	/** It is no longer wanted; whoever ends it does so by its pid. Resolves once none is being started. */
	giveUp(): Promise<void>;
}

/** Starts a server and, whenever it ends by itself, starts it again. */
export async function keepServer<S extends RunningServer>(
	spec: KeptServerSpec<S>,
): Promise<KeptServer<S>> {
	const life = new AbortController();
	const backOff = createBackOff();
	const unwanted = AbortSignal.any([spec.signal, life.signal]);
	const server = await spec.start(unwanted);
	let up = true;
	let restarting: Promise<void> | undefined;
	void keepUp();

	async function keepUp(): Promise<void> {
		while (!unwanted.aborted) {
			const since = Date.now();
			const how = await server.ended();
			up = false;
			// A full disk, which may be why it ended, must not end the supervisor.
			await spec.onEnd().catch(() => {});
			backOff.lived(Date.now() - since);
			if (!(await bringBack(how))) return;
		}
	}

	/** Tries until it is up again; false when it is not to be. */
	async function bringBack(how: string): Promise<boolean> {
		let reason = how;
		while (!unwanted.aborted) {
			const restartInMs = spec.restartCrashed ? backOff.next() : undefined;
			const { name } = spec;
			spec.onEvent({
				kind: "crashed",
				process: name,
				how: reason,
				restartInMs,
			});
			if (restartInMs === undefined) return false;
			await delay(restartInMs, undefined, { signal: unwanted }).catch(() => {});
			if (unwanted.aborted) return false;
			try {
				restarting = server.restart();
				await restarting;
				up = true;
				if (spec.givesWay) await giveWay(server.pid ?? 0);
				spec.onEvent({ kind: "restarted", process: name });
				return true;
			} catch (error) {
				reason = error instanceof Error ? error.message : String(error);
			}
		}
		return false;
	}

	async function giveUp(): Promise<void> {
		life.abort();
		await restarting?.catch(() => {});
	}

	return {
		server,
		pid: () => (up ? server.pid : undefined),
		stop: (graceMs) =>
			stopOrForce(
				giveUp().then(() => server.stop()),
				graceMs,
				spec.force,
			),
		giveUp,
	};
}
