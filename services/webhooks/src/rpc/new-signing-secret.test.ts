import { expect, it } from "vitest";
import { newSigningSecret } from "./new-signing-secret.ts";

it("a signing secret is at_whsec_ and 43 base62 characters, new each time", () => {
	const secrets = new Set(Array.from({ length: 100 }, newSigningSecret));
	expect(secrets.size).toBe(100);
	for (const secret of secrets)
		expect(secret).toMatch(/^at_whsec_[0-9A-Za-z]{43}$/);
});
