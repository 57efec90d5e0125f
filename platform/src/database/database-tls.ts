import { checkServerIdentity, type PeerCertificate } from "node:tls";
import { ConfigError } from "../runtime/config.ts";
import { renewedFile } from "../runtime/renewed-file.ts";

/** Takes part in the TLS options of each connection, at its beginning. */
interface VerifiedTls {
	readonly ca?: string;
	checkServerIdentity(name: string, peer: PeerCertificate): Error | undefined;
}

/**
 * Takes `sslmode=verify-full` and `sslrootcert` (a PEM file, or `system`, the default) out of a connection string: the
 * driver reads no file, and compares an address's certificate with "localhost". Throws ConfigError for half a check.
 */
export function splitTls(text: string): { url: string; ssl?: VerifiedTls } {
	const url = new URL(text);
	const mode = url.searchParams.get("sslmode");
	const root = url.searchParams.get("sslrootcert");
	if (mode !== "verify-full") {
		if (mode === "verify-ca" || root !== null)
			throw new ConfigError(
				"A database's connection string has sslrootcert or verify-ca: only sslmode=verify-full checks who responds.",
			);
		return { url: text };
	}
	if (url.hostname.includes(","))
		throw new ConfigError("sslmode=verify-full needs a database of one host.");
	url.searchParams.delete("sslmode");
	url.searchParams.delete("sslrootcert");
	return { url: url.href, ssl: verified(url.hostname, root ?? "system") };
}

function verified(host: string, root: string): VerifiedTls {
	const identity = {
		checkServerIdentity: (_name: string, peer: PeerCertificate) =>
			checkServerIdentity(host, peer),
	};
	if (root === "system") return identity;
	const read = renewedFile("sslrootcert", root);
	return {
		...identity,
		get ca() {
			return read();
		},
	};
}

/** True for an error of a connection whose other side has no certificate that was asked for. */
export function isUntrusted(error: unknown): error is Error {
	if (!(error instanceof Error && "code" in error)) return false;
	return /CERT|ISSUER|LEAF_SIGNATURE/.test(String(error.code));
}
