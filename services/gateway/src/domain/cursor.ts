import { createHmac, timingSafeEqual } from "node:crypto";
import type { KeyRing } from "@airtower/platform/runtime/key-ring";

/** Where a list goes on: the last row that was shown. */
export interface CursorPosition {
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

const VERSION = 1;
const MAC_BYTES = 16;
const PLACE_BYTES = 12;
/** Longest cursor text that is looked at, characters. */
export const MAX_CURSOR_LENGTH = 512;

/**
 * An opaque text for a place in a list, base64url of: version (1), key id length (1), key id,
 * seconds (8), nanos (4), row id, HMAC-SHA256 cut to 16 bytes over all that and the scope.
 */
export function encodeCursor(
	ring: KeyRing,
	scope: CursorScope,
	position: CursorPosition,
): string {
	const place = Buffer.alloc(PLACE_BYTES);
	place.writeBigInt64BE(position.seconds);
	place.writeInt32BE(position.nanos, 8);
	const keyId = Buffer.from(ring.current.id);
	const head = Buffer.concat([
		Buffer.from([VERSION, keyId.length]),
		keyId,
		place,
		Buffer.from(position.id),
	]);
	const mac = macOf(ring.current.secret, scope, head);
	return Buffer.concat([head, mac]).toString("base64url");
}

/** The place that a cursor names; undefined when it was tampered with, is of another scope or of a retired key. */
export function decodeCursor(
	ring: KeyRing,
	scope: CursorScope,
	text: string,
): CursorPosition | undefined {
	if (text.length > MAX_CURSOR_LENGTH) return undefined;
	const bytes = Buffer.from(text, "base64url");
	const idAt = 2 + (bytes[1] ?? 0) + PLACE_BYTES;
	const macAt = bytes.length - MAC_BYTES;
	if (bytes[0] !== VERSION || idAt >= macAt) return undefined;
	if (bytes.toString("base64url") !== text) return undefined;
	const placeAt = idAt - PLACE_BYTES;
	const secret = ring.all.get(bytes.toString("utf8", 2, placeAt));
	if (secret === undefined) return undefined;
	const expected = macOf(secret, scope, bytes.subarray(0, macAt));
	if (!timingSafeEqual(expected, bytes.subarray(macAt))) return undefined;
	return {
		seconds: bytes.readBigInt64BE(placeAt),
		nanos: bytes.readInt32BE(placeAt + 8),
		id: bytes.toString("utf8", idAt, macAt),
	};
}

function macOf(secret: Buffer, scope: CursorScope, head: Buffer): Buffer {
	const filters = Object.entries(scope.filters ?? {})
		.filter(([, value]) => value !== undefined)
		.sort(([a], [b]) => (a < b ? -1 : 1));
	const bound = JSON.stringify([scope.resource, scope.organizationId, filters]);
	return createHmac("sha256", secret)
		.update(`airtower.cursor\n${bound}\n`)
		.update(head)
		.digest()
		.subarray(0, MAC_BYTES);
}
