import { expect, test } from "vitest";
import { testKey } from "../testing/identities.ts";
import { createTokenSigner } from "./caller-token.ts";

const key = testKey("gateway");

test("reuses a token until 20 s before it expires", async () => {
	let now = new Date();
	const signer = createTokenSigner({ key, clock: () => now });
	const first = await signer.tokenFor("accounts", "*");
	now = new Date(now.getTime() + 39_000);
	expect(await signer.tokenFor("accounts", "*")).toBe(first);
	now = new Date(now.getTime() + 2_000);
	expect(await signer.tokenFor("accounts", "*")).not.toBe(first);
});

test("keeps audiences and organizations apart", async () => {
	const signer = createTokenSigner({ key });
	const tokens = await Promise.all([
		signer.tokenFor("accounts", "*"),
		signer.tokenFor("messaging", "*"),
		signer.tokenFor("accounts", "018f0000-0000-7000-8000-000000000001"),
	]);
	expect(new Set(tokens).size).toBe(3);
});
