import { join } from "node:path";
import type { PlannedAssembly } from "./assembly.ts";
import { answersOk } from "./ready-check.ts";
import type { ProcessSettings } from "./run-processes.ts";
import { localUrl, machineEnv } from "./service-env.ts";

/** The account that the simulator grants. */
const SYSTEM_ID = "airtower";
const PASSWORD = "simulate";
/** What the API's answers name as the provider. */
const ROUTE_CODE = "simulator";

/** The route to the simulator on a port of this machine. */
export function smscRoute(
	port: number,
	query: Readonly<Record<string, string>> = {},
): string {
	const url = new URL(`smpp://${SYSTEM_ID}:${PASSWORD}@127.0.0.1:${port}`);
	url.searchParams.set("code", ROUTE_CODE);
	for (const [name, value] of Object.entries(query))
		url.searchParams.set(name, value);
	return url.href;
}

export function smscSettings({
	plan,
	options,
}: PlannedAssembly): ProcessSettings {
	const { smpp, smscControl } = plan.ports;
	return {
		main: new URL("../../../simulators/src/smsc/main.ts", import.meta.url),
		env: {
			...machineEnv(),
			SMSC_PORT: String(smpp),
			SMSC_CONTROL_PORT: String(smscControl),
			SMSC_SYSTEM_ID: SYSTEM_ID,
			SMSC_PASSWORD: PASSWORD,
			SMSC_RECEIPTS_FILE: join(options.dataDir, "smsc-receipts.jsonl"),
		},
		extraEnv: options.smscEnv ?? {},
		isReady: () => answersOk(`${localUrl(smscControl)}/stats`),
	};
}
