import { X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import { isDeepStrictEqual } from "node:util";
import { type CommonConfig, ConfigError } from "../runtime/config.ts";
import { createRepeatedTrouble, type Logger } from "../runtime/log.ts";
import type { Metrics } from "../runtime/metrics.ts";
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

export interface RenewOptions {
	/** Told of new files that cannot be used. */
	readonly log?: Logger;
	readonly renewEveryMs?: number;
}

/** Undefined when TLS is not configured. Throws ConfigError. */
export function readRpcTls(
	settings: Pick<CommonConfig, `RPC_TLS_${"CERT" | "KEY" | "CA"}_FILE`>,
	options: RenewOptions = {},
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
	return renewed(read, options);
}

function readerOf(name: string, path: string | undefined): () => string {
	if (path === undefined) throw new ConfigError(`${name} is missing.`);
	return renewedFile(name, path);
}

function renewed(
	read: TlsSource,
	{ log, renewEveryMs = RENEW_EVERY_MS }: RenewOptions,
): TlsSource {
	let current = read();
	assertWhole(current);
	let readAt = performance.now();
	const trouble = log && createRepeatedTrouble(log);
	let unusable = 0;
	return () => {
		const now = performance.now();
		if (now - readAt < renewEveryMs) return current;
		readAt = now;
		const next = read();
		const isChanged = !isDeepStrictEqual(next, current);
		if (isChanged && !isWhole(next)) {
			// The first look may be in the middle of a change.
			const level = unusable++ === 0 ? "warn" : "error";
			trouble?.tell(level, { err: NOT_WHOLE }, "the old certificates stay");
			return current;
		}
		unusable = 0;
		if (isChanged) current = next;
		return current;
	};
}

function assertWhole(tls: RpcTls): void {
	if (isWhole(tls)) return;
	throw new ConfigError(`${NOT_WHOLE}.`);
}

const NOT_WHOLE =
	"RPC_TLS_CERT_FILE and RPC_TLS_KEY_FILE must name a certificate and its own key, RPC_TLS_CA_FILE an authority, all as PEM";

/** False in the middle of a change: the key is another certificate's, or a file is half written. */
function isWhole(tls: RpcTls): boolean {
	try {
		createSecureContext(tls);
		return tls.ca === undefined || isAuthority(tls.ca);
	} catch {
		return false;
	}
}

const BEGIN = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/;
const WHOLE = RegExp(`${BEGIN.source}[^-]+-----END [A-Z0-9 ]+-----`, "g");

/**
 * Whether a text is one certificate or several, each of them whole. Node takes any text for authorities: an empty one
 * for those that it trusts itself, any other for those of its certificates that it can read, and so for nobody.
 */
function isAuthority(text: string): boolean {
	const whole = readCertificates(text);
	return whole.length > 0 && whole.length === text.split(BEGIN).length - 1;
}

function readCertificates(text: string): X509Certificate[] {
	return (text.match(WHOLE) ?? []).map((one) => new X509Certificate(one));
}

/**
 * Tells until when calls are possible with what is in use now: nobody may have renewed it, and this process may have
 * been unable to take what was renewed. Without TLS there is no end.
 */
export function measureCertificates(
	metrics: Metrics,
	tls: TlsSource | undefined,
): void {
	metrics.gauge(
		"rpc_certificates_end_seconds",
		"Unix time at which the certificate in use ends, or before it the last of the authorities.",
		[],
		(gauge) => gauge.set(tls ? endOf(tls()) / 1_000 : Number.POSITIVE_INFINITY),
	);
}

/** ms since the epoch. The first certificate of a file is the one that is shown; others lead to its authority. */
function endOf({ cert, ca }: RpcTls): number {
	const ends = (text: string) =>
		readCertificates(text).map(({ validToDate }) => validToDate.getTime());
	const [own = Number.NaN] = ends(cert);
	return ca === undefined ? own : Math.min(own, Math.max(...ends(ca)));
}
