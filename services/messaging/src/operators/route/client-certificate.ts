import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { ReadOption } from "./common-options.ts";
import { BadValue, readableFile } from "./route-values.ts";

/** Paths of the certificate by which an operator knows this client, and of its key; empty without one. PEM. */
interface ClientCertificate {
	readonly cert: string;
	readonly key: string;
}

/** Reads `cert` and `key`, which must be of one pair. Throws BadRoute that names the option. */
export function readClientCertificate(read: ReadOption): ClientCertificate {
	const cert = read("cert", "", certificateFile);
	const key = read("key", "", (path) => keyFileOf(cert, path));
	return { cert, key };
}

function certificateFile(path: string): string {
	if (readableFile(path) !== "") readCertificate(path);
	return path;
}

function keyFileOf(cert: string, path: string): string {
	if (path === "" && cert === "") return path;
	if (cert === "")
		throw new BadValue('is of no use without "cert": give both, or neither');
	if (path === "")
		throw new BadValue('is missing beside "cert": give the file of its key');
	const key = readKey(readableFile(path));
	if (!readCertificate(cert).checkPrivateKey(key))
		throw new BadValue('must be the key of the certificate of "cert"');
	return path;
}

/** Of several in a file the first, which is the client's. */
function readCertificate(path: string): X509Certificate {
	try {
		return new X509Certificate(readFileSync(path));
	} catch {
		throw new BadValue("must be the path of a PEM file with a certificate");
	}
}

function readKey(path: string): KeyObject {
	try {
		return createPrivateKey(readFileSync(path));
	} catch {
		throw new BadValue(
			"must be the path of a PEM file with a private key that is not encrypted",
		);
	}
}
