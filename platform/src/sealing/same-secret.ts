import { createHash, timingSafeEqual } from "node:crypto";

/** Compares in constant time; hashing makes the lengths equal and hides the real ones. */
export function isSameSecret(given: string, expected: string): boolean {
	const digest = (text: string) => createHash("sha256").update(text).digest();
	return timingSafeEqual(digest(given), digest(expected));
}
