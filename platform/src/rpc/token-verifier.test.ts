import { randomBytes } from "node:crypto";
import { SignJWT, UnsecuredJWT } from "jose";
import { expect, test } from "vitest";
import { parseKeyRing } from "../runtime/key-ring.ts";
import { keyRingText, testKeyRing as ring } from "../testing/keys.ts";
import { mintToken } from "./caller-token.ts";
import { createTokenVerifier, InvalidCallerToken } from "./token-verifier.ts";

const verify = createTokenVerifier({ ring, audience: "accounts" });
const claims = {
	ring,
	issuer: "gateway",
	audience: "accounts",
	organization: "*",
	role: "service",
	lifetimeSeconds: 60,
} as const;

/** A token signed with the ring's current key, every part of which a test may bend. */
function sign(
	payload: Record<string, unknown>,
	header: { alg?: string; kid?: string } = { kid: ring.current.id },
	secret: Uint8Array = ring.current.secret,
): Promise<string> {
	const now = Math.floor(Date.now() / 1_000);
	return new SignJWT({
		iss: "gateway",
		aud: "accounts",
		iat: now,
		exp: now + 60,
		org: "*",
		role: "service",
		...payload,
	})
		.setProtectedHeader({ alg: "HS256", ...header })
		.sign(secret);
}

test("tells issuer, organization and role of a minted token", async () => {
	const token = await mintToken({
		...claims,
		organization: "018f0000-0000-7000-8000-000000000001",
		role: "admin",
	});
	const expected = {
		issuer: "gateway",
		organization: "018f0000-0000-7000-8000-000000000001",
		role: "admin",
	};
	expect(await verify(token)).toEqual(expected);
	expect(await verify(token), "from memory").toEqual(expected);
});

test("accepts a token for every service", async () => {
	const token = await mintToken({ ...claims, audience: "*" });
	expect((await verify(token)).issuer).toBe("gateway");
});

test("accepts tokens of a key that is no longer current", async () => {
	const old = keyRingText("old");
	const rotated = parseKeyRing(`${keyRingText("new")},${old}`);
	const token = await mintToken({ ...claims, ring: parseKeyRing(old) });
	const verifyRotated = createTokenVerifier({
		ring: rotated,
		audience: "accounts",
	});
	expect((await verifyRotated(token)).role).toBe("service");
});

const hour = 3_600;
const now = Math.floor(Date.now() / 1_000);
const refused: [string, () => Promise<string> | string][] = [
	["nothing", () => ""],
	["no JWT", () => "not.a.token"],
	["an endless string", () => "x".repeat(10_000)],
	["another audience", () => sign({ aud: "messaging" })],
	["no audience", () => sign({ aud: undefined })],
	["an expired one", () => sign({ exp: now - 10 })],
	["one without expiry", () => sign({ exp: undefined })],
	["one from the future", () => sign({ nbf: now + hour })],
	["one that was issued ahead of the clock", () => sign({ iat: now + 60 })],
	[
		"one that was issued over 10 minutes ago",
		() => sign({ iat: now - 660, exp: now + hour }),
	],
	["one without its time of issue", () => sign({ iat: undefined })],
	["no issuer", () => sign({ iss: undefined })],
	["no organization", () => sign({ org: undefined })],
	["an empty organization", () => sign({ org: "" })],
	["an organization that is no string", () => sign({ org: ["*"] })],
	["an unknown role", () => sign({ role: "root" })],
	[
		"another key under the same id",
		() => sign({}, { kid: ring.current.id }, randomBytes(32)),
	],
	["an unknown key id", () => sign({}, { kid: "unknown" })],
	["no key id", () => sign({}, {})],
	[
		"algorithm none",
		() =>
			new UnsecuredJWT({ org: "*", role: "admin" })
				.setIssuer("gateway")
				.setAudience("accounts")
				.setIssuedAt()
				.setExpirationTime("60s")
				.encode(),
	],
];
test.each(refused)("refuses %s", async (_name, token) => {
	await expect(verify(await token())).rejects.toThrow(InvalidCallerToken);
});

test("refuses another algorithm under the right key", async () => {
	const long = parseKeyRing(`k:${randomBytes(64).toString("base64")}`);
	const verifyLong = createTokenVerifier({
		ring: long,
		audience: "accounts",
	});
	const secret = long.current.secret;
	const token = await sign({}, { alg: "HS512", kid: "k" }, secret);
	await expect(verifyLong(token)).rejects.toThrow(InvalidCallerToken);
	expect(await verifyLong(await sign({}, { kid: "k" }, secret))).toBeDefined();
});

test("refuses a remembered token once it has expired", async () => {
	let now = new Date();
	const verifyThen = createTokenVerifier({
		ring,
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
		...{ ring, audience: "accounts" },
		clock: () => now,
	});
	const token = await mintToken({ ...claims, lifetimeSeconds: hour });
	await verifyThen(token);
	now = new Date(now.getTime() + 606_000);
	await expect(verifyThen(token)).rejects.toThrow(InvalidCallerToken);
});

test("never repeats a refused token in its error", async () => {
	const token = await sign({ aud: "messaging" });
	const error = await verify(token).catch((error: unknown) => error);
	expect(JSON.stringify(error) + String(error)).not.toContain(
		token.split(".")[1],
	);
});
