import { randomBytes } from "node:crypto";
import { type KeyRing, parseKeyRing } from "../sealing/key-ring.ts";

export function keyRingText(id = "test"): string {
	return `${id}:${randomBytes(32).toString("base64")}`;
}

export const testKeyRing: KeyRing = parseKeyRing(keyRingText());
