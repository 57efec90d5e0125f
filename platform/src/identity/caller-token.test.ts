import { expect, test } from "vitest";
import { testKey, testTrustedKeys } from "../testing/identities.ts";
import { createTokenSigner } from "./caller-token.ts";
import { createTokenVerifier } from "./token-verifier.ts";

const key = testKey("gateway");

test("reuses a token for 40 s", async () => {
	let now = new Date();
	const signer = createTokenSigner({ key, clock: () => now });
	const first = await signer.tokenFor("accounts", "*");
	now = new Date(now.getTime() + 39_000);
	expect(await signer.tokenFor("accounts", "*")).toBe(first);
	now = new Date(now.getTime() + 2_000);
	expect(await signer.tokenFor("accounts", "*")).not.toBe(first);
});

test("signs anew once the clock was set back: a token of the future is accepted nowhere", async () => {
	let now = new Date(Date.now() + 2 * 3_600_000);
	const signer = createTokenSigner({ key, clock: () => now });
	const ahead = await signer.tokenFor("accounts", "*");
	now = new Date();
	const token = await signer.tokenFor("accounts", "*");
	expect(token).not.toBe(ahead);
	const verify = createTokenVerifier({
		trustedKeys: testTrustedKeys,
		audience: "accounts",
		clock: () => now,
	});
	await expect(verify(ahead)).rejects.toThrow("iat");
	expect((await verify(token)).issuer).toBe("gateway");
});

test.each([-30, 30])(
	"a token is accepted for as long as it is reused by who has a clock that is %i s off",
	async (offS) => {
		let now = Date.now();
		const signer = createTokenSigner({ key, clock: () => new Date(now) });
		const verify = createTokenVerifier({
			trustedKeys: testTrustedKeys,
			audience: "accounts",
			clock: () => new Date(now + offS * 1_000),
		});
		for (let s = 0; s < 120; s++, now += 1_000) {
			const token = await signer.tokenFor("accounts", "*");
			expect((await verify(token)).issuer).toBe("gateway");
		}
	},
);

test("keeps audiences and organizations apart", async () => {
	const signer = createTokenSigner({ key });
	const tokens = await Promise.all([
		signer.tokenFor("accounts", "*"),
		signer.tokenFor("messaging", "*"),
		signer.tokenFor("accounts", "018f0000-0000-7000-8000-000000000001"),
	]);
	expect(new Set(tokens).size).toBe(3);
});
