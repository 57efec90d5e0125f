import { randomBytes } from "node:crypto";
import { SignJWT, UnsecuredJWT } from "jose";
import { expect, test } from "vitest";
import {
	jwkSet,
	signingKey,
	strangerKey,
	testKey,
	testKeyPair,
	testTrustedKeys as trustedKeys,
} from "../testing/identities.ts";
import { mintToken } from "./caller-token.ts";
import { createKeyPair } from "./key-pair.ts";
import type { SigningKey } from "./signing-key.ts";
import { createTokenVerifier, InvalidCallerToken } from "./token-verifier.ts";
import { parseTrustedKeys } from "./trusted-keys.ts";

const ORGANIZATION = "018f0000-0000-7000-8000-000000000001";
const verify = createTokenVerifier({ trustedKeys, audience: "accounts" });
const gateway = testKey("gateway");
const admin = testKey("admin");
const claims = {
	key: gateway,
	audience: "accounts",
	organization: "*",
	lifetimeSeconds: 60,
};
const hour = 3_600;
const now = Math.floor(Date.now() / 1_000);

/** A token of the key, every part of which a test may bend. */
function sign(
	payload: Record<string, unknown>,
	key: SigningKey = gateway,
	header: { alg?: string; kid?: string } = { kid: key.id },
	secret: SigningKey["privateKey"] | Uint8Array = key.privateKey,
): Promise<string> {
	return new SignJWT({
		iss: key.issuer,
		aud: "accounts",
		iat: now,
		exp: now + 60,
		org: "*",
		...(key === admin && { sub: "Ada" }),
		...payload,
	})
		.setProtectedHeader({ alg: "EdDSA", ...header })
		.sign(secret);
}

test("tells issuer and organization of a service's token", async () => {
	const token = await mintToken({ ...claims, organization: ORGANIZATION });
	const expected = {
		issuer: "gateway",
		name: "gateway",
		organization: ORGANIZATION,
	};
	expect(await verify(token)).toEqual(expected);
	expect(await verify(token), "from memory").toEqual(expected);
});

test("tells whom an admin's token was issued to, for 12 hours and every service", async () => {
	const token = await mintToken({
		...claims,
		key: admin,
		person: "Ada Lovelace",
		audience: "*",
		lifetimeSeconds: 12 * hour,
	});
	const expected = { issuer: "admin", name: "Ada Lovelace", organization: "*" };
	expect(await verify(token)).toEqual(expected);
});

test("accepts several keys of one issuer, while a new one takes the old one's place", async () => {
	const [old, next] = [createKeyPair("gateway"), createKeyPair("gateway")];
	const trusted = parseTrustedKeys(jwkSet([old, next]));
	const verifyBoth = createTokenVerifier({
		trustedKeys: () => trusted,
		audience: "accounts",
	});
	for (const pair of [old, next]) {
		const token = await mintToken({ ...claims, key: signingKey(pair) });
		expect((await verifyBoth(token)).issuer).toBe("gateway");
	}
});

const publicBytes = Buffer.from(
	testKeyPair("gateway").trustedKey.x,
	"base64url",
);
const refused: [string, () => Promise<string> | string][] = [
	["nothing", () => ""],
	["no JWT", () => "not.a.token"],
	["an endless string", () => "x".repeat(10_000)],
	["another audience", () => sign({ aud: "messaging" })],
	["a service's token for every service", () => sign({ aud: "*" })],
	["no audience", () => sign({ aud: undefined })],
	["an expired one", () => sign({ exp: now - 10 })],
	["one without expiry", () => sign({ exp: undefined })],
	["one from the future", () => sign({ nbf: now + hour })],
	["one that was issued ahead of the clock", () => sign({ iat: now + 60 })],
	[
		"one that was issued over 10 minutes ago",
		() => sign({ iat: now - 660, exp: now + hour }),
	],
	[
		"an admin's that was issued over 12 hours ago",
		() => sign({ iat: now - 12 * hour - 60, exp: now + hour }, admin),
	],
	["one without its time of issue", () => sign({ iat: undefined })],
	["no issuer", () => sign({ iss: undefined })],
	["the gateway's key that says accounts", () => sign({ iss: "accounts" })],
	[
		"the gateway's key that says admin",
		() => sign({ iss: "admin", role: "admin", sub: "Eve" }),
	],
	["an admin's without a name", () => sign({ sub: undefined }, admin)],
	["an admin's with an empty name", () => sign({ sub: "" }, admin)],
	["an admin's with a line in its name", () => sign({ sub: "A\nB" }, admin)],
	["no organization", () => sign({ org: undefined })],
	["an empty organization", () => sign({ org: "" })],
	["an organization that is no string", () => sign({ org: ["*"] })],
	["another key under the same id", () => sign({}, strangerKey("gateway"))],
	["an unknown key id", () => sign({}, gateway, { kid: "unknown" })],
	["no key id", () => sign({}, gateway, {})],
	[
		"HS256 with the public key as its secret",
		() => sign({}, gateway, { alg: "HS256", kid: gateway.id }, publicBytes),
	],
	[
		"HS256 with a secret of one's own",
		() => sign({}, gateway, { alg: "HS256", kid: gateway.id }, randomBytes(32)),
	],
	[
		"algorithm none",
		() => {
			const [, payload = ""] = new UnsecuredJWT({ org: "*" })
				.setIssuer("gateway")
				.setAudience("accounts")
				.setIssuedAt()
				.setExpirationTime("60s")
				.encode()
				.split(".");
			const header = JSON.stringify({ alg: "none", kid: gateway.id });
			return `${Buffer.from(header).toString("base64url")}.${payload}.`;
		},
	],
];
test.each(refused)("refuses %s", async (_name, token) => {
	await expect(verify(await token())).rejects.toThrow(InvalidCallerToken);
});

test("refuses a remembered token once it has expired", async () => {
	let now = new Date();
	const verifyThen = createTokenVerifier({
		trustedKeys,
		audience: "accounts",
		clock: () => now,
	});
	const token = await mintToken(claims);
	await verifyThen(token);
	now = new Date(now.getTime() + 66_000);
	await expect(verifyThen(token)).rejects.toThrow("expired");
});

test("refuses a remembered token 10 minutes after its issue, whatever its expiry", async () => {
	let now = new Date();
	const verifyThen = createTokenVerifier({
		trustedKeys,
		audience: "accounts",
		clock: () => now,
	});
	const token = await mintToken({ ...claims, lifetimeSeconds: hour });
	await verifyThen(token);
	now = new Date(now.getTime() + 606_000);
	await expect(verifyThen(token)).rejects.toThrow(InvalidCallerToken);
});

test("refuses a remembered token once its key is taken out, and accepts those of a new one", async () => {
	const next = createKeyPair("gateway");
	let trusted = trustedKeys();
	const verifyNow = createTokenVerifier({
		trustedKeys: () => trusted,
		audience: "accounts",
	});
	const old = await mintToken(claims);
	await verifyNow(old);
	trusted = parseTrustedKeys(jwkSet([next]));
	await expect(verifyNow(old)).rejects.toThrow("no known key");
	const token = await mintToken({ ...claims, key: signingKey(next) });
	expect(await verifyNow(token)).toMatchObject({ issuer: "gateway" });
});

test("says of a token of the future that a clock is wrong", async () => {
	await expect(verify(await sign({ iat: now + 60 }))).rejects.toThrow(
		'dated in the future ("iat"): the clock of who signed it, or of this service, is wrong',
	);
});

test("never repeats a refused token in its error", async () => {
	const token = await sign({ aud: "messaging" });
	const error = await verify(token).catch((error: unknown) => error);
	expect(JSON.stringify(error) + String(error)).not.toContain(
		token.split(".")[1],
	);
});
