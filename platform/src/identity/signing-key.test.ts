import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createKeyPair } from "./key-pair.ts";
import { readSigningKey } from "./signing-key.ts";

const { privateKey, trustedKey } = createKeyPair("gateway");

async function read(text: string) {
	const dir = await mkdtemp(join(tmpdir(), "signing-key-"));
	onTestFinished(() => rm(dir, { recursive: true }));
	await writeFile(join(dir, "key"), text);
	return readSigningKey("IDENTITY_KEY_FILE", join(dir, "key"), "gateway");
}

test("a private JWK tells whose key it is and under which identifier it signs", async () => {
	expect(await read(JSON.stringify(privateKey))).toMatchObject({
		id: privateKey.kid,
		issuer: "gateway",
	});
});

const pem = generateKeyPairSync("ed25519").privateKey.export({
	format: "pem",
	type: "pkcs8",
});
const rsa = generateKeyPairSync("rsa", { modulusLength: 2_048 });
test.each([
	[
		"a PEM file",
		String(pem),
		/must name a private Ed25519 key in JSON .* not JSON/,
	],
	["a public key", JSON.stringify(trustedKey), /key in JSON .*: d: /],
	[
		"an RSA key",
		JSON.stringify(rsa.privateKey.export({ format: "jwk" })),
		/key in JSON .*: kty: /,
	],
	[
		"another service's key",
		JSON.stringify(createKeyPair("accounts").privateKey),
		/the key is that of "accounts", not of "gateway"\.$/,
	],
])("%s is refused by the name of the setting", async (_what, text, why) => {
	await expect(read(text)).rejects.toThrow(/^IDENTITY_KEY_FILE/);
	await expect(read(text)).rejects.toThrow(why);
});

test("a file that is not there is refused by the name of the setting", async () => {
	await expect(
		readSigningKey("IDENTITY_KEY_FILE", "/nowhere/key", "gateway"),
	).rejects.toThrow("IDENTITY_KEY_FILE: the file cannot be read.");
});
