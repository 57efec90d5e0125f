import { readFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import {
	createTokenSigner,
	type TokenSigner,
} from "@airtower/platform/rpc/caller-token";
import { type RpcTls, readRpcTls } from "@airtower/platform/rpc/tls";
import type { Env } from "@airtower/platform/runtime/config";
import {
	type KeyRing,
	parseKeyRing,
} from "@airtower/platform/runtime/key-ring";
import { CommandError } from "./errors.ts";
import { DEFAULT_DATA_DIR, userPath } from "./user-path.ts";

/** Services that consume events, and so may have dead letters. */
export const CONSUMERS = ["campaigns", "webhooks"] as const;
/** Services that store secrets under encryption keys. */
export const SEALERS = ["accounts", "webhooks", "whatsapp"] as const;
/** Every service that an admin may act on. */
export const SERVICES = [
	"accounts",
	"messaging",
	"whatsapp",
	...CONSUMERS,
] as const;
export type AdminService = (typeof SERVICES)[number];

export interface Access {
	readonly signer: TokenSigner;
	readonly tls?: RpcTls | undefined;
	/** @throws CommandError when the service's address is not known */
	urlOf(service: AdminService): string;
}

/**
 * From the environment when it has a token, or keys to make one; otherwise from the system on the data folder.
 * @throws CommandError when neither names one, or the keys are malformed; ConfigError for the files of TLS
 */
export async function readAccess(
	env: Env,
	dataDir: string | undefined,
): Promise<Access> {
	const signer = dataDir === undefined ? signerFromEnv(env) : undefined;
	if (signer !== undefined)
		return {
			signer,
			tls: await readRpcTls(env),
			urlOf: (service) => urlFromEnv(env, service),
		};
	return readDevFile(userPath(dataDir ?? DEFAULT_DATA_DIR), adminName(env));
}

async function readDevFile(dataDir: string, name: string): Promise<Access> {
	try {
		const text = await readFile(join(dataDir, "dev.json"), "utf8");
		const { callerTokenKeys, rpcUrls } = JSON.parse(text) as {
			callerTokenKeys: string;
			rpcUrls: Record<AdminService, string>;
		};
		const signer = adminSigner(callerTokenKeys, name);
		return { signer, urlOf: (service) => rpcUrls[service] };
	} catch {
		throw new CommandError(
			`Nothing has been started on ${dataDir} yet; run npm start in another terminal first.`,
		);
	}
}

/** Undefined when the environment has neither a token nor keys. */
function signerFromEnv(env: Env): TokenSigner | undefined {
	const token = env.AIRTOWER_ADMIN_TOKEN ?? "";
	const keys = env.CALLER_TOKEN_KEYS ?? "";
	if (token !== "") return { tokenFor: async () => token };
	return keys === "" ? undefined : adminSigner(keys, adminName(env));
}

/** Signs as an admin with the services' keys. @throws CommandError when they are malformed */
export function adminSigner(keys: string, name = adminName({})): TokenSigner {
	const ring = readKeys(keys);
	return createTokenSigner({ ring, issuer: name, role: "admin" });
}

/** Who acts, as the audit shows it. */
function adminName(env: Env): string {
	const given = env.AIRTOWER_ADMIN_NAME ?? "";
	if (given !== "") return given;
	try {
		return userInfo().username;
	} catch {
		return "admin";
	}
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
