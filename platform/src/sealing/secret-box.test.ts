import { expect, test } from "vitest";
import { keyRingText } from "../testing/keys.ts";
import { parseKeyRing } from "./key-ring.ts";
import { openSecret, sealSecret } from "./secret-box.ts";

const oldText = keyRingText("old");
const oldRing = parseKeyRing(oldText);
const newRing = parseKeyRing(`${keyRingText("new")},${oldText}`);

test("a sealed secret opens again, also after the current key has changed", () => {
	const box = sealSecret(oldRing, "at_whsec_x", "row-1");
	expect(openSecret(oldRing, box, "row-1").toString()).toBe("at_whsec_x");
	expect(openSecret(newRing, box, "row-1").toString()).toBe("at_whsec_x");
	expect(box.includes("at_whsec_x")).toBe(false);
});

test("a box of another row, another ring or with one changed bit does not open", () => {
	const box = sealSecret(newRing, "secret", "row-1");
	expect(() => openSecret(newRing, box, "row-2")).toThrow();
	expect(() => openSecret(oldRing, box, "row-1")).toThrow(/key ring/);
	for (const at of [5, 20, box.length - 1]) {
		const changed = Buffer.from(box);
		changed[at] = (changed[at] ?? 0) ^ 1;
		expect(() => openSecret(newRing, changed, "row-1")).toThrow();
	}
});
