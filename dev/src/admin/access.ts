import type { Env } from "@airtower/platform/config";
import { readDevFile } from "../start/dev-file.ts";
import { StartError } from "../start/system.ts";
import { DEFAULT_DATA_DIR, userPath } from "../start/user-path.ts";
import { CommandError } from "./command.ts";

/** Services that consume events, and so may have dead letters. */
export const CONSUMERS = ["campaigns", "webhooks"] as const;
const SERVICES = ["accounts", "messaging", "whatsapp", ...CONSUMERS] as const;
/** Services that an operator may act on. */
export type AdminService = (typeof SERVICES)[number];

/** Where the services are, and the token that they accept from the operator. */
export interface Access {
	readonly adminToken: string;
	/** @throws CommandError when the service's address is not known */
	urlOf(service: AdminService): string;
}

/**
 * Access from the environment when it has a token, and otherwise to the system that runs on the
 * data folder.
 * @throws CommandError when neither names one
 */
export async function readAccess(
	env: Env,
	dataDir: string | undefined,
): Promise<Access> {
	const adminToken = env.AIRTOWER_ADMIN_TOKEN ?? "";
	if (adminToken !== "" && dataDir === undefined)
		return { adminToken, urlOf: (service) => urlFromEnv(env, service) };
	const { adminToken: token, rpcUrls } = await readDevFile(
		userPath(dataDir ?? DEFAULT_DATA_DIR),
	).catch(describe);
	return { adminToken: token, urlOf: (service) => rpcUrls[service] };
}

function urlFromEnv(env: Env, service: AdminService): string {
	const name = `AIRTOWER_${service.toUpperCase()}_RPC_URL`;
	const url = env[name] ?? "";
	if (/^https?:$/.test(URL.parse(url)?.protocol ?? "")) return url;
	throw new CommandError(
		url === ""
			? `${name} is not set: it names the address of the ${service} service.`
			: `${name} must be an address like http://127.0.0.1:7001.`,
	);
}

function describe(error: unknown): never {
	if (error instanceof StartError) throw new CommandError(error.message);
	throw error;
}
