import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RpcTls } from "../tls.ts";

/** Settings for the files that {@link writeTlsFiles} writes into a folder. */
export const tlsFiles = (folder: string) => ({
	RPC_TLS_CERT_FILE: join(folder, "tls.crt"),
	RPC_TLS_KEY_FILE: join(folder, "tls.key"),
	RPC_TLS_CA_FILE: join(folder, "ca.crt"),
});

/** One file after the other, each at once: for a moment the key is not the certificate's. */
export async function writeTlsFiles(folder: string, tls: RpcTls) {
	const names = tlsFiles(folder);
	const texts = [
		[names.RPC_TLS_CERT_FILE, tls.cert],
		[names.RPC_TLS_KEY_FILE, tls.key],
		[names.RPC_TLS_CA_FILE, tls.ca ?? ""],
	] as const;
	for (const [path, text] of texts) {
		await writeFile(`${path}.new`, text);
		await rename(`${path}.new`, path);
	}
}
