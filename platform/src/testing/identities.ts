import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
	createTokenSigner,
	type TokenSigner,
} from "../identity/caller-token.ts";
import { createKeyPair, type KeyPair } from "../identity/key-pair.ts";
import { parseSigningKey, type SigningKey } from "../identity/signing-key.ts";
import {
	parseTrustedKeys,
	type TrustedKeys,
} from "../identity/trusted-keys.ts";

const ISSUERS = [
	"gateway",
	"accounts",
	"messaging",
	"whatsapp",
	"campaigns",
	"webhooks",
	"admin",
	"test",
];

const pairs = new Map(ISSUERS.map((issuer) => [issuer, createKeyPair(issuer)]));
/** The JWK set of the tests. */
export const trustedKeysText = jwkSet([...pairs.values()]);
const trusted = parseTrustedKeys(trustedKeysText);

/** What the servers of tests trust. */
export const testTrustedKeys = (): TrustedKeys => trusted;

export function jwkSet(keys: readonly Pick<KeyPair, "trustedKey">[]): string {
	return JSON.stringify({ keys: keys.map(({ trustedKey }) => trustedKey) });
}

export function testKeyPair(issuer: string): KeyPair {
	const pair = pairs.get(issuer);
	if (pair === undefined) throw new Error(`No test has a key of ${issuer}.`);
	return pair;
}

export function signingKey({ privateKey }: KeyPair): SigningKey {
	return parseSigningKey(JSON.stringify(privateKey));
}

export const testKey = (issuer: string): SigningKey =>
	signingKey(testKeyPair(issuer));

/** A key under the identifier of the issuer's, which nobody trusts. */
export function strangerKey(issuer: string): SigningKey {
	return { ...signingKey(createKeyPair(issuer)), id: testKey(issuer).id };
}

/** Of the admins it signs for a person who is called "test". */
export function testSigner(key: SigningKey): TokenSigner {
	return createTokenSigner({
		key,
		...(key.issuer === "admin" && { person: "test" }),
	});
}

/** The settings of a service that trusts the tests' keys and signs with that of the issuer. */
export function identitySettings(issuer: string) {
	folder ??= newFolder();
	const settings = {
		IDENTITY_KEY_FILE: join(folder, `${issuer}.json`),
		TRUSTED_KEYS_FILE: join(folder, "trusted-keys.json"),
	};
	const { privateKey } = testKeyPair(issuer);
	writeFileSync(settings.IDENTITY_KEY_FILE, JSON.stringify(privateKey));
	writeFileSync(settings.TRUSTED_KEYS_FILE, trustedKeysText);
	return settings;
}

let folder: string | undefined;

function newFolder(): string {
	const made = mkdtempSync(join(tmpdir(), "airtower-identity-"));
	process.once("exit", () => rmSync(made, { recursive: true, force: true }));
	return made;
}
