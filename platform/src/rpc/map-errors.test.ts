import { Code } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { parseKeyRing } from "../sealing/key-ring.ts";
import { openSecret, sealSecret } from "../sealing/sealed-secret.ts";
import { keyRingText } from "../testing/keys.ts";
import { mapErrors } from "./map-errors.ts";

test("a call that needs a secret whose key was removed too early is unavailable, and says which setting lacks the key", async () => {
	const [before, after] = [keyRingText("old"), keyRingText("new")];
	const ciphertext = sealSecret(parseKeyRing(before), "secret", "row-1");
	const call = mapErrors(async () => {
		openSecret(parseKeyRing(after), ciphertext, "row-1");
		throw new Error("The secret was opened.");
	});
	await expect(call({} as never)).rejects.toMatchObject({
		code: Code.Unavailable,
		message: expect.stringContaining("ENCRYPTION_KEYS"),
	});
});
