import { createPrivateKey, type KeyObject } from "node:crypto";
import { readFile } from "node:fs/promises";
import { ConfigError } from "../runtime/config.ts";
import { parseJwk, privateJwk } from "./jwk.ts";

export interface SigningKey {
	readonly id: string;
	readonly issuer: string;
	readonly privateKey: KeyObject;
}

/** Reads a private key as a JWK with `kid` and `iss`. @throws Error that contains no part of it */
export function parseSigningKey(text: string): SigningKey {
	const { kid, iss, ...key } = parseJwk(privateJwk, text);
	const privateKey = createPrivateKey({ key, format: "jwk" });
	return { id: kid, issuer: iss, privateKey };
}

/**
 * Reads the key with which `issuer` signs.
 * @throws ConfigError naming the setting, for a file that cannot be read, another form of key and another's key
 */
export async function readSigningKey(
	setting: string,
	path: string,
	issuer: string,
): Promise<SigningKey> {
	const text = await readFile(path, "utf8").catch(() => {
		throw new ConfigError(`${setting}: the file cannot be read.`);
	});
	const key = toSigningKey(setting, text);
	if (key.issuer === issuer) return key;
	throw new ConfigError(
		`${setting}: the key is that of "${key.issuer}", not of "${issuer}".`,
	);
}

function toSigningKey(setting: string, text: string): SigningKey {
	try {
		return parseSigningKey(text);
	} catch (error) {
		const { message } = error as Error;
		throw new ConfigError(
			`${setting} must name a private Ed25519 key in JSON (a JWK with kid and iss), ` +
				`as admin signing-keys create makes it: ${message}.`,
		);
	}
}
