import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { KeyRing } from "./key-ring.ts";

const ALGORITHM = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM: key id length (1 byte), key id, nonce (12), tag (16), ciphertext; `context` is authenticated. */
export function sealSecret(
	ring: KeyRing,
	plaintext: Uint8Array | string,
	context: string,
): Buffer {
	const nonce = randomBytes(NONCE_BYTES);
	const cipher = createCipheriv(ALGORITHM, keyOf(ring.current.secret), nonce);
	cipher.setAAD(Buffer.from(context));
	const plain = Buffer.from(plaintext);
	const text = Buffer.concat([cipher.update(plain), cipher.final()]);
	const head = ciphertextPrefix(ring.current.id);
	return Buffer.concat([head, nonce, cipher.getAuthTag(), text]);
}

/** What the ciphertexts under a key begin with. */
export function ciphertextPrefix(keyId: string): Buffer {
	const id = Buffer.from(keyId);
	return Buffer.concat([Buffer.from([id.length]), id]);
}

/** A secret is sealed under a key that the process does not have: what needs it succeeds once the key is back. */
export class MissingKeyError extends Error {
	constructor() {
		super(
			"A secret is sealed under a key that is not among the ENCRYPTION_KEYS of this service: put the key back.",
		);
		this.name = "MissingKeyError";
	}
}

/**
 * Throws when the ciphertext was tampered with.
 * @throws MissingKeyError when the key is not in the ring
 */
export function openSecret(
	ring: KeyRing,
	ciphertext: Uint8Array,
	context: string,
): Buffer {
	const bytes = Buffer.from(ciphertext);
	const idEnd = 1 + (bytes[0] ?? 0);
	const nonceEnd = idEnd + NONCE_BYTES;
	const tagEnd = nonceEnd + TAG_BYTES;
	const secret = ring.all.get(bytes.subarray(1, idEnd).toString());
	if (secret === undefined) throw new MissingKeyError();
	const decipher = createDecipheriv(
		ALGORITHM,
		keyOf(secret),
		bytes.subarray(idEnd, nonceEnd),
	);
	decipher.setAAD(Buffer.from(context));
	decipher.setAuthTag(bytes.subarray(nonceEnd, tagEnd));
	const text = bytes.subarray(tagEnd);
	return Buffer.concat([decipher.update(text), decipher.final()]);
}

function keyOf(secret: Buffer): Buffer {
	return secret.subarray(0, KEY_BYTES);
}
