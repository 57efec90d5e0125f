import { join } from "node:path";
import { freePort } from "@airtower/platform/runtime/ports";
import { readProcess } from "../../processes/read-process.ts";
import { SupervisedProcess } from "../../processes/supervised-process.ts";
import { unsupervised } from "../../processes/supervision.ts";
import { isOk, REPOSITORY } from "../../start/start-process.ts";
import type { ServiceName } from "../../start/system.ts";
import type { ChaosSystem } from "./chaos-system.ts";

export interface SecondProcess {
	restart(): Promise<void>;
	stop(): Promise<void>;
}

const STOP_MS = 10_000;

/** A second process of a service, with the same settings, behind the same balancer; of a release, given its folder. */
export async function startSecond(
	{ system, balancers }: Pick<ChaosSystem, "system" | "balancers">,
	name: ServiceName | "messaging-delivery",
	repository = REPOSITORY,
): Promise<SecondProcess> {
	const { program, args, env } = await readProcess(system.pids()[name]);
	const [callPort, opsPort] = [await freePort(), await freePort()];
	const callName = name === "gateway" ? "HTTP_PORT" : "RPC_PORT";
	const readyUrl = `http://127.0.0.1:${opsPort}/ready`;
	const process = new SupervisedProcess({
		...unsupervised(join(system.dataDir, "logs", `${name}-2.log`)),
		name: `${name}-2`,
		command: {
			program,
			args: args.map((arg) =>
				arg.startsWith(REPOSITORY)
					? join(repository, arg.slice(REPOSITORY.length))
					: arg,
			),
			mark: `--data-dir=${system.dataDir}/`,
			env: { ...env, [callName]: String(callPort), OPS_PORT: String(opsPort) },
			stopSignal: "SIGTERM",
		},
		isReady: () => isOk(readyUrl),
	});
	await process.start();
	const backend = { port: callPort, readyUrl };
	const balancer = name === "messaging-delivery" ? undefined : balancers[name];
	balancer?.add(backend);
	return {
		restart: () => process.restart(),
		stop: async () => {
			await process.stop(STOP_MS);
			balancer?.remove(backend);
			await process.closeLog();
		},
	};
}
