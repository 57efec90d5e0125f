import { randomBytes } from "node:crypto";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** Bytes from 248 up would favour the first letters of the alphabet. */
const BASE62_FAIR_BELOW = 248;

/** A clock set back by more than this, ms, is followed: rows are found by the time in their ids. */
const MAX_STEP_BACK_MS = 5_000;

let lastMs = 0;
let sequence = 0;

/** UUIDv7 (RFC 9562): milliseconds, a 12-bit counter (section 6.2, method 1) that keeps a process's ids in order, 62 random bits. */
export function uuidv7(nowMs: number = Date.now()): string {
	if (nowMs > lastMs || nowMs < lastMs - MAX_STEP_BACK_MS) {
		lastMs = nowMs;
		sequence = 0;
	} else if (++sequence > 0xfff) {
		lastMs++;
		sequence = 0;
	}
	const random = randomHex16();
	const time = lastMs.toString(16).padStart(12, "0");
	const variant = (
		(Number.parseInt(random[0] ?? "0", 16) & 0x3) |
		0x8
	).toString(16);
	return `${time.slice(0, 8)}-${time.slice(8)}-7${sequence.toString(16).padStart(3, "0")}-${variant}${random.slice(1, 4)}-${random.slice(4)}`;
}

const POOL_BYTES = 4_096;
let pool = "";
let poolAt = 0;

function randomHex16(): string {
	if (poolAt >= pool.length) {
		pool = randomBytes(POOL_BYTES).toString("hex");
		poolAt = 0;
	}
	poolAt += 16;
	return pool.slice(poolAt - 16, poolAt);
}

/** The creation time inside a UUIDv7, to the millisecond. */
export function uuidv7Time(id: string): Date {
	return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

export function isUuid(text: string): boolean {
	return UUID.test(text);
}

/** `length` letters and digits from the system's secure random source, evenly spread. */
export function randomBase62(length: number): string {
	let text = "";
	while (text.length < length) {
		for (const byte of randomBytes(length * 2)) {
			if (byte < BASE62_FAIR_BELOW && text.length < length)
				text += BASE62[byte % 62];
		}
	}
	return text;
}
