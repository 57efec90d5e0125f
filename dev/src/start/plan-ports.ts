import { portState } from "@airtower/platform/runtime/ports";
import type { PortPicker } from "./ports.ts";
import type { SystemPorts } from "./service-env.ts";
import {
	type RpcServiceName,
	StartError,
	type SystemOptions,
} from "./system.ts";

/** Where a developer expects things: taken when free and asked for. */
const WELL_KNOWN = {
	rpc: {
		accounts: 8101,
		messaging: 8102,
		webhooks: 8103,
		whatsapp: 8104,
		campaigns: 8105,
	},
	ops: {
		gateway: 8200,
		accounts: 8201,
		messaging: 8202,
		webhooks: 8203,
		whatsapp: 8204,
		campaigns: 8205,
		"messaging-delivery": 8206,
	},
	smpp: 2775,
	smscControl: 8300,
	cloudApi: 8301,
} as const;

const WHY_NOT = {
	taken: "taken by another program",
	forbidden: "not open to this user",
} as const;

type Ports = Readonly<Record<RpcServiceName, number>>;

/**
 * Chooses the ports of all processes before any starts: they know each other's from the beginning.
 * @throws StartError when the wanted API port is taken or forbidden
 */
export async function planPorts(
	options: SystemOptions,
	{ pick, ...picker }: PortPicker,
): Promise<SystemPorts> {
	const { httpPort } = options;
	const state = httpPort === undefined ? "free" : await portState(httpPort);
	if (state !== "free")
		throw new StartError(
			`Port ${httpPort} is ${WHY_NOT[state]}; choose another one, for example: npm start -- --port ${await pick()}`,
		);
	const pickKnown = (port: number) =>
		options.wellKnownPorts === true ? picker.pickKnown(port) : pick();
	const pickEach = async (known: Ports) => ({
		accounts: await pickKnown(known.accounts),
		messaging: await pickKnown(known.messaging),
		webhooks: await pickKnown(known.webhooks),
		whatsapp: await pickKnown(known.whatsapp),
		campaigns: await pickKnown(known.campaigns),
	});
	return {
		http: await pick(httpPort),
		rpc: await pickEach(WELL_KNOWN.rpc),
		ops: {
			...(await pickEach(WELL_KNOWN.ops)),
			gateway: await pickKnown(WELL_KNOWN.ops.gateway),
			"messaging-delivery": await pickKnown(
				WELL_KNOWN.ops["messaging-delivery"],
			),
		},
		smpp: await pickKnown(WELL_KNOWN.smpp),
		smscControl: await pickKnown(WELL_KNOWN.smscControl),
		cloudApi: await pickKnown(WELL_KNOWN.cloudApi),
	};
}
