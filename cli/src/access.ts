import { readDevFile } from "@airtower/dev/start/dev-file";
import { StartError } from "@airtower/dev/start/system";
import { mintToken } from "@airtower/platform/rpc/caller-token";
import { type RpcTls, readRpcTls } from "@airtower/platform/rpc/tls";
import { ConfigError, type Env } from "@airtower/platform/runtime/config";
import {
	type KeyRing,
	parseKeyRing,
} from "@airtower/platform/runtime/key-ring";
import { CommandError } from "./command.ts";
import { DEFAULT_DATA_DIR, userPath } from "./user-path.ts";

/** Services that consume events, and so may have dead letters. */
export const CONSUMERS = ["campaigns", "webhooks"] as const;
const SERVICES = ["accounts", "messaging", "whatsapp", ...CONSUMERS] as const;
/** Services that an operator may act on. */
export type AdminService = (typeof SERVICES)[number];

/** Lifetime of a token that is made for one command, s: longer than any takes. */
const TOKEN_LIFETIME_S = 600;

/** Where the services are, and the token that they accept from the operator. */
export interface Access {
	readonly adminToken: string;
	/** Absent without TLS. */
	readonly tls?: RpcTls | undefined;
	/** @throws CommandError when the service's address is not known */
	urlOf(service: AdminService): string;
}

/**
 * Access from the environment when it has a token, or the services' keys to make one, and otherwise to
 * the system that runs on the data folder.
 * @throws CommandError when neither names one, or the keys are malformed
 */
export async function readAccess(
	env: Env,
	dataDir: string | undefined,
): Promise<Access> {
	const adminToken = dataDir === undefined ? await tokenFromEnv(env) : "";
	if (adminToken !== "")
		return {
			adminToken,
			tls: await readRpcTls(env).catch(describe),
			urlOf: (service) => urlFromEnv(env, service),
		};
	const { adminToken: token, rpcUrls } = await readDevFile(
		userPath(dataDir ?? DEFAULT_DATA_DIR),
	).catch(describe);
	return { adminToken: token, urlOf: (service) => rpcUrls[service] };
}

/** Empty when the environment has neither a token nor keys. */
async function tokenFromEnv(env: Env): Promise<string> {
	const token = env.AIRTOWER_ADMIN_TOKEN ?? "";
	const keys = env.CALLER_TOKEN_KEYS ?? "";
	if (token !== "" || keys === "") return token;
	return mintToken({
		ring: readKeys(keys),
		issuer: "airtower-admin",
		audience: "*",
		organization: "*",
		role: "admin",
		lifetimeSeconds: TOKEN_LIFETIME_S,
	});
}

function readKeys(text: string): KeyRing {
	try {
		return parseKeyRing(text);
	} catch {
		throw new CommandError(
			"CALLER_TOKEN_KEYS must be keys like id:base64, separated by commas, as the services have them.",
		);
	}
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
	if (error instanceof StartError || error instanceof ConfigError)
		throw new CommandError(error.message);
	throw error;
}
