import { readFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import {
	createTokenSigner,
	type TokenSigner,
} from "@airtower/platform/identity/caller-token";
import { ADMIN } from "@airtower/platform/identity/jwk";
import {
	readSigningKey,
	type SigningKey,
} from "@airtower/platform/identity/signing-key";
import { readRpcTls, type TlsSource } from "@airtower/platform/rpc/tls";
import type { Env } from "@airtower/platform/runtime/config";
import { CommandError } from "./errors.ts";
import { DEFAULT_DATA_DIR, userPath } from "./user-path.ts";

/** Services that consume events, and so may have dead letters. */
export const CONSUMERS = [
	"accounts",
	"messaging",
	"campaigns",
	"webhooks",
] as const;
/** Services that store secrets under encryption keys. */
export const SEALERS = [
	"accounts",
	"messaging",
	"webhooks",
	"whatsapp",
] as const;
/** Every service that an admin may act on. */
export const SERVICES = ["whatsapp", ...CONSUMERS] as const;
export type AdminService = (typeof SERVICES)[number];

export interface Access {
	readonly signer: TokenSigner;
	readonly tls?: TlsSource | undefined;
	/** @throws CommandError when the service's address is not known */
	urlOf(service: AdminService): string;
}

/**
 * From the environment when it names a token, or the key to make one; otherwise from the system on the data folder.
 * @throws CommandError when neither names one, or the token cannot be read; ConfigError for the files of keys and TLS
 */
export async function readAccess(
	env: Env,
	dataDir: string | undefined,
): Promise<Access> {
	const signer = dataDir === undefined ? await signerFromEnv(env) : undefined;
	if (signer !== undefined)
		return {
			signer,
			tls: readRpcTls(env),
			urlOf: (service) => urlFromEnv(env, service),
		};
	const { rpcUrls, adminKeyFile } = await readDevFile(dataDir);
	const key = await readAdminKey("adminKeyFile", adminKeyFile);
	return {
		signer: adminSigner(key, adminName(env)),
		urlOf: (service) => rpcUrls[service],
	};
}

/** The key that signs the tokens of admins: a file's, the environment's, or that of the system on the data folder. */
export async function findAdminKey(
	env: Env,
	dataDir: string | undefined,
	file: string | undefined,
): Promise<SigningKey> {
	if (file !== undefined) return readAdminKey("--key-file", userPath(file));
	const fromEnv = dataDir === undefined ? env.AIRTOWER_ADMIN_KEY_FILE : "";
	if (fromEnv) return readAdminKey("AIRTOWER_ADMIN_KEY_FILE", fromEnv);
	const { adminKeyFile } = await readDevFile(dataDir);
	return readAdminKey("adminKeyFile", adminKeyFile);
}

function readAdminKey(setting: string, path: string): Promise<SigningKey> {
	return readSigningKey(setting, path, ADMIN);
}

interface DevFile {
	readonly adminKeyFile: string;
	readonly rpcUrls: Readonly<Record<AdminService, string>>;
}

async function readDevFile(dataDir = DEFAULT_DATA_DIR): Promise<DevFile> {
	const folder = userPath(dataDir);
	try {
		return JSON.parse(await readFile(join(folder, "dev.json"), "utf8"));
	} catch {
		throw new CommandError(
			`Nothing has been started on ${folder} yet; run npm start in another terminal first.`,
		);
	}
}

/** Undefined when the environment names neither a token nor a key. */
async function signerFromEnv(env: Env): Promise<TokenSigner | undefined> {
	const token = env.AIRTOWER_ADMIN_TOKEN || (await readTokenFile(env));
	if (token) return { tokenFor: async () => token };
	const path = env.AIRTOWER_ADMIN_KEY_FILE;
	if (!path) return undefined;
	const key = await readAdminKey("AIRTOWER_ADMIN_KEY_FILE", path);
	return adminSigner(key, adminName(env));
}

async function readTokenFile(env: Env): Promise<string | undefined> {
	const path = env.AIRTOWER_ADMIN_TOKEN_FILE;
	if (!path) return undefined;
	const token = await readFile(path, "utf8").catch(() => "");
	if (token.trim() !== "") return token.trim();
	throw new CommandError(
		"AIRTOWER_ADMIN_TOKEN_FILE: the file is empty or cannot be read.",
	);
}

/** Signs as a person, the user of this machine by default. */
export function adminSigner(
	key: SigningKey,
	person = adminName({}),
): TokenSigner {
	return createTokenSigner({ key, person });
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
