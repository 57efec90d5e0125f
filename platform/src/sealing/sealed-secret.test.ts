import { expect, test } from "vitest";
import { keyRingText } from "../testing/keys.ts";
import { parseKeyRing } from "./key-ring.ts";
import { MissingKeyError, openSecret, sealSecret } from "./sealed-secret.ts";

const oldText = keyRingText("old");
const oldRing = parseKeyRing(oldText);
const newRing = parseKeyRing(`${keyRingText("new")},${oldText}`);

test("a sealed secret opens again, also after the current key has changed", () => {
	const ciphertext = sealSecret(oldRing, "at_whsec_x", "row-1");
	expect(openSecret(oldRing, ciphertext, "row-1").toString()).toBe(
		"at_whsec_x",
	);
	expect(openSecret(newRing, ciphertext, "row-1").toString()).toBe(
		"at_whsec_x",
	);
	expect(ciphertext.includes("at_whsec_x")).toBe(false);
});

test("a ciphertext of another row, another ring or with one changed bit does not open", () => {
	const ciphertext = sealSecret(newRing, "secret", "row-1");
	expect(() => openSecret(newRing, ciphertext, "row-2")).toThrow();
	expect(() => openSecret(oldRing, ciphertext, "row-1")).toThrow(
		MissingKeyError,
	);
	for (const at of [5, 20, ciphertext.length - 1]) {
		const changed = Buffer.from(ciphertext);
		changed[at] = (changed[at] ?? 0) ^ 1;
		expect(() => openSecret(newRing, changed, "row-1")).toThrow();
	}
});
