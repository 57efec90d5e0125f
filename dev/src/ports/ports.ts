import { portState } from "@airtower/platform/runtime/ports";
import { StartError } from "../processes/start-error.ts";
import type { SystemOptions } from "../start/system.ts";
import type { SystemPorts } from "../start/system-plan.ts";
import { type KeptPorts, readKeptPorts } from "./kept-ports.ts";
import type { PortPicker } from "./port-picker.ts";

const RPC = {
	accounts: 8101,
	messaging: 8102,
	webhooks: 8103,
	whatsapp: 8104,
	campaigns: 8105,
};
const OPS = {
	gateway: 8200,
	accounts: 8201,
	messaging: 8202,
	webhooks: 8203,
	whatsapp: 8204,
	campaigns: 8205,
	"messaging-delivery": 8206,
};
const SIMULATORS = {
	smpp: 2775,
	smscControl: 8300,
	cloudApi: 8301,
	secondSmpp: 2776,
	secondSmscControl: 8302,
	httpSms: 8303,
};

/** They are chosen before any process starts, for each knows the others' from the beginning. */
export async function planPorts(
	options: SystemOptions,
	{ pick, pickKnown, forget }: PortPicker,
): Promise<SystemPorts> {
	forget();
	const { httpPort, wellKnownPorts } = options;
	if (httpPort !== undefined) await assertFree(httpPort, pick, options);
	const kept = await readKeptPorts(options.dataDir);
	const pickAll = async <K extends string>(ports: Record<K, number>) => {
		const picked = { ...ports };
		for (const name in ports)
			picked[name] = await (wellKnownPorts ? pickKnown(ports[name]) : pick());
		return picked;
	};
	const pickSimulator = (name: keyof KeptPorts) => {
		const known = wellKnownPorts ? pickKnown : () => pick();
		return kept[name] === undefined
			? known(SIMULATORS[name])
			: pick(kept[name]);
	};
	return {
		http: await pick(httpPort),
		smpp: await pickSimulator("smpp"),
		smscControl: await pickSimulator("smscControl"),
		cloudApi: await pickSimulator("cloudApi"),
		secondSmpp: await pickSimulator("secondSmpp"),
		secondSmscControl: await pickSimulator("secondSmscControl"),
		httpSms: await pickSimulator("httpSms"),
		rpc: await pickAll(RPC),
		ops: await pickAll(OPS),
	};
}

async function assertFree(
	port: number,
	pick: PortPicker["pick"],
	{ commandFor = (other) => `npm start -- --port ${other}` }: SystemOptions,
): Promise<void> {
	const state = await portState(port);
	if (state === "free") return;
	const why =
		state === "taken" ? "taken by another program" : "not open to this user";
	throw new StartError(
		`Port ${port} is ${why}; choose another one, for example: ${commandFor(await pick())}`,
	);
}
