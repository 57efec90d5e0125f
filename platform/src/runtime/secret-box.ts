import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { KeyRing } from "./key-ring.ts";

const ALGORITHM = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM under the current key; `context`, such as the row's id, is authenticated with it.
 * Layout: key id length (1 byte), key id, nonce (12), tag (16), ciphertext.
 */
export function sealSecret(
	ring: KeyRing,
	plaintext: Uint8Array | string,
	context: string,
): Buffer {
	const nonce = randomBytes(NONCE_BYTES);
	const cipher = createCipheriv(ALGORITHM, keyOf(ring.current.secret), nonce);
	cipher.setAAD(Buffer.from(context));
	const text = Buffer.concat([
		cipher.update(Buffer.from(plaintext)),
		cipher.final(),
	]);
	const id = Buffer.from(ring.current.id);
	return Buffer.concat([
		Buffer.from([id.length]),
		id,
		nonce,
		cipher.getAuthTag(),
		text,
	]);
}

/** Opens a box of {@link sealSecret}. Throws when its key is not in the ring or it was tampered with. */
export function openSecret(
	ring: KeyRing,
	box: Uint8Array,
	context: string,
): Buffer {
	const bytes = Buffer.from(box);
	const idEnd = 1 + (bytes[0] ?? 0);
	const nonceEnd = idEnd + NONCE_BYTES;
	const tagEnd = nonceEnd + TAG_BYTES;
	const secret = ring.all.get(bytes.subarray(1, idEnd).toString());
	if (secret === undefined)
		throw new Error("The key of this secret is not in the key ring.");
	const decipher = createDecipheriv(
		ALGORITHM,
		keyOf(secret),
		bytes.subarray(idEnd, nonceEnd),
	);
	decipher.setAAD(Buffer.from(context));
	decipher.setAuthTag(bytes.subarray(nonceEnd, tagEnd));
	return Buffer.concat([
		decipher.update(bytes.subarray(tagEnd)),
		decipher.final(),
	]);
}

function keyOf(secret: Buffer): Buffer {
	return secret.subarray(0, KEY_BYTES);
}
