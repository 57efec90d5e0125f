import { readFile } from "node:fs/promises";
import { type CommonConfig, ConfigError } from "../runtime/config.ts";

export interface RpcTls {
	readonly cert: string;
	readonly key: string;
	/** Authority of the other side. On a server it makes client certificates mandatory. */
	readonly ca?: string;
}

/** Undefined when TLS is not configured. Throws ConfigError. */
export async function readRpcTls(
	settings: Pick<CommonConfig, `RPC_TLS_${"CERT" | "KEY" | "CA"}_FILE`>,
): Promise<RpcTls | undefined> {
	const { RPC_TLS_CERT_FILE, RPC_TLS_KEY_FILE, RPC_TLS_CA_FILE } = settings;
	if (RPC_TLS_CERT_FILE === undefined && RPC_TLS_KEY_FILE === undefined) {
		if (RPC_TLS_CA_FILE === undefined) return undefined;
		throw new ConfigError(
			"RPC_TLS_CA_FILE needs RPC_TLS_CERT_FILE and RPC_TLS_KEY_FILE.",
		);
	}
	const cert = await readSetting("RPC_TLS_CERT_FILE", RPC_TLS_CERT_FILE);
	const key = await readSetting("RPC_TLS_KEY_FILE", RPC_TLS_KEY_FILE);
	if (RPC_TLS_CA_FILE === undefined) return { cert, key };
	const ca = await readSetting("RPC_TLS_CA_FILE", RPC_TLS_CA_FILE);
	return { cert, key, ca };
}

async function readSetting(
	name: string,
	path: string | undefined,
): Promise<string> {
	if (path === undefined) throw new ConfigError(`${name} is missing.`);
	try {
		return await readFile(path, "utf8");
	} catch {
		throw new ConfigError(`${name}: the file cannot be read.`);
	}
}
