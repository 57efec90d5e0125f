import { randomBytes } from "node:crypto";
import { type KeyRing, parseKeyRing } from "../runtime/key-ring.ts";

/** Text of a fresh one-key ring, as a setting would hold it. */
export function keyRingText(id = "test"): string {
	return `${id}:${randomBytes(32).toString("base64")}`;
}

/** A ring of the test's own. */
export const testKeyRing: KeyRing = parseKeyRing(keyRingText());
