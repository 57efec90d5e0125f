import { createHmac, timingSafeEqual } from "node:crypto";
import type { KeyRing } from "@airtower/platform/sealing/key-ring";

interface CursorPosition {
	readonly seconds: bigint;
	/** Nanoseconds within the second. */
	readonly nanos: number;
	readonly id: string;
}

/** What a cursor is good for: it fits no other list, organization or filter. */
export interface CursorScope {
	readonly resource: string;
	readonly organizationId: string;
	readonly filters?: object;
}

/** Binds a cursor to its format too. */
const VERSION = 2;
const MAC_BYTES = 16;
/** Longest cursor text that is looked at, characters. */
const MAX_CURSOR_LENGTH = 512;

/** An opaque text for a position: HMAC-SHA256 over position and scope, cut to 16 bytes, then the position. */
export function encodeCursor(
	ring: KeyRing,
	scope: CursorScope,
	{ seconds, nanos, id }: CursorPosition,
): string {
	const position = Buffer.from(`${seconds} ${nanos} ${id}`);
	const mac = computeMac(ring.current.secret, scope, position);
	return Buffer.concat([mac, position]).toString("base64url");
}

/** The position that a cursor names; undefined when it was tampered with, is of another scope or of a retired key. */
export function decodeCursor(
	ring: KeyRing,
	scope: CursorScope,
	text: string,
): CursorPosition | undefined {
	if (text.length > MAX_CURSOR_LENGTH) return undefined;
	const bytes = Buffer.from(text, "base64url");
	const mac = bytes.subarray(0, MAC_BYTES);
	if (mac.length < MAC_BYTES || bytes.toString("base64url") !== text)
		return undefined;
	const position = bytes.subarray(MAC_BYTES);
	const isGenuine = [...ring.all.values()].some((secret) =>
		timingSafeEqual(mac, computeMac(secret, scope, position)),
	);
	if (!isGenuine) return undefined;
	const [seconds = "", nanos, id = ""] = position.toString().split(" ");
	return { seconds: BigInt(seconds), nanos: Number(nanos), id };
}

function computeMac(
	secret: Buffer,
	{ resource, organizationId, filters = {} }: CursorScope,
	position: Buffer,
): Buffer {
	const given = Object.entries(filters)
		.filter(([, value]) => value !== undefined)
		.sort(([a], [b]) => (a < b ? -1 : 1));
	const bound = JSON.stringify([VERSION, resource, organizationId, given]);
	return createHmac("sha256", secret)
		.update(`airtower.cursor\n${bound}\n`)
		.update(position)
		.digest()
		.subarray(0, MAC_BYTES);
}
