import { randomBytes } from "node:crypto";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Below every id that is made. */
export const LOWEST_ID = "00000000-0000-0000-0000-000000000000";

/** A clock set back by more than this, ms, is followed: rows are found by the time in their ids. */
const MAX_STEP_BACK_MS = 5_000;

let lastMs = 0;
let sequence = 0;

/** UUIDv7 (RFC 9562) with a 12-bit counter (section 6.2, method 1) that keeps a process's ids in order. */
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
	const variant = "89ab"[Number.parseInt(random.slice(0, 1), 16) & 3];
	const counter = sequence.toString(16).padStart(3, "0");
	const head = `${time.slice(0, 8)}-${time.slice(8)}-7${counter}`;
	return `${head}-${variant}${random.slice(1, 4)}-${random.slice(4)}`;
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

/** The lowest id that can have been made at this moment. */
export function firstIdAt(time: Date): string {
	const hex = time.getTime().toString(16).padStart(12, "0");
	return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** The moment at which a UUIDv7 was made; undefined for an id of another version. */
export function timeOfId(id: string): Date | undefined {
	if (id[14] !== "7") return undefined;
	return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

export function isUuid(text: string): boolean {
	return UUID.test(text);
}
