import { createSecureContext } from "node:tls";
import { isDeepStrictEqual } from "node:util";
import { type CommonConfig, ConfigError } from "../runtime/config.ts";
import { renewedFile } from "../runtime/renewed-file.ts";

export interface RpcTls {
	readonly cert: string;
	readonly key: string;
	/** Authority of the other side. On a server it makes client certificates mandatory. */
	readonly ca?: string;
}

/** The current ones: the same object until the files have changed. */
export type TlsSource = () => RpcTls;

/** Files are looked at no more often, ms. */
const RENEW_EVERY_MS = 10_000;

/** Undefined when TLS is not configured. Throws ConfigError. */
export function readRpcTls(
	settings: Pick<CommonConfig, `RPC_TLS_${"CERT" | "KEY" | "CA"}_FILE`>,
	renewEveryMs = RENEW_EVERY_MS,
): TlsSource | undefined {
	const { RPC_TLS_CERT_FILE, RPC_TLS_KEY_FILE, RPC_TLS_CA_FILE } = settings;
	if (RPC_TLS_CERT_FILE === undefined && RPC_TLS_KEY_FILE === undefined) {
		if (RPC_TLS_CA_FILE === undefined) return undefined;
		throw new ConfigError(
			"RPC_TLS_CA_FILE needs RPC_TLS_CERT_FILE and RPC_TLS_KEY_FILE.",
		);
	}
	const cert = readerOf("RPC_TLS_CERT_FILE", RPC_TLS_CERT_FILE);
	const key = readerOf("RPC_TLS_KEY_FILE", RPC_TLS_KEY_FILE);
	const ca = RPC_TLS_CA_FILE && readerOf("RPC_TLS_CA_FILE", RPC_TLS_CA_FILE);
	const read = () => ({ cert: cert(), key: key(), ...(ca && { ca: ca() }) });
	return renewed(read, renewEveryMs);
}

function readerOf(name: string, path: string | undefined): () => string {
	if (path === undefined) throw new ConfigError(`${name} is missing.`);
	return renewedFile(name, path);
}

function renewed(read: TlsSource, everyMs: number): TlsSource {
	let current = read();
	assertWhole(current);
	let readAt = performance.now();
	return () => {
		const now = performance.now();
		if (now - readAt < everyMs) return current;
		readAt = now;
		const next = read();
		if (!isDeepStrictEqual(next, current) && isWhole(next)) current = next;
		return current;
	};
}

function assertWhole(tls: RpcTls): void {
	if (isWhole(tls)) return;
	throw new ConfigError(
		"RPC_TLS_CERT_FILE and RPC_TLS_KEY_FILE must name a certificate and its own key, RPC_TLS_CA_FILE an authority, all as PEM.",
	);
}

/** False in the middle of a change: the key is another certificate's, or a file is half written. */
function isWhole(tls: RpcTls): boolean {
	try {
		createSecureContext(tls);
		return true;
	} catch {
		return false;
	}
}
