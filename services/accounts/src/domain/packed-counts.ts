/** Upper bound of the first bucket, s. */
const FIRST_BOUND_S = 0.25;
/** Buckets to which a time doubles. */
const BUCKETS_TO_DOUBLE = 3;
/** The last one holds all that took longer than 1.9 days. */
export const BUCKETS = 60;
/** Decimal digits of one slot in {@link packedCount}: more messages than anybody sends. */
const DIGITS = 12;

/**
 * The bucket of a time, from 0 to {@link BUCKETS} - 1: each reaches 26 % further than the one before it.
 * @param seconds below 0 counts as 0, since two clocks may measure it
 */
export function bucketOf(seconds: number): number {
	if (!(seconds > FIRST_BOUND_S)) return 0;
	const steps = Math.log2(seconds / FIRST_BOUND_S) * BUCKETS_TO_DOUBLE;
	return Math.min(BUCKETS - 1, Math.ceil(steps));
}

/**
 * The time within which a share of the messages had their receipt, s, rounded to three digits. Between 0.25 s and 1.9
 * days it is at most 13 % off; outside of that it is the bound itself. Undefined without any message.
 * @param counts of each bucket
 * @param share above 0 to 1
 */
export function timeOfShare(
	counts: readonly number[],
	share: number,
): number | undefined {
	const total = counts.reduce((sum, count) => sum + count, 0);
	if (total === 0) return undefined;
	let passed = 0;
	const bucket = counts.findIndex((count) => {
		passed += count;
		return passed >= total * share;
	});
	return Number(middleOf(bucket).toPrecision(3));
}

const PACKED = Array.from({ length: BUCKETS }, (_, slot) => power(slot));

/**
 * One message of a slot in the counts of all slots, which are one decimal number: 12 digits for each and those of the
 * first slot last. So the counts of all buckets, or of all reasons to fail, are added up in one addition, here and by
 * the database.
 * @param slot 0 or higher
 */
export function packedCount(slot: number): bigint {
	return PACKED[slot] ?? power(slot);
}

function power(slot: number): bigint {
	return 10n ** BigInt(slot * DIGITS);
}

/** The counts of all slots in a sum of {@link packedCount}, without the last slots where these have none. */
export function unpackCounts(packed: string): number[] {
	const counts: number[] = [];
	for (let end = packed.length; end > 0; end -= DIGITS)
		counts.push(Number(packed.slice(Math.max(0, end - DIGITS), end)));
	return counts;
}

/** Of two sums of {@link packedCount}; what is added to none stays as it is, without the work. */
export function addPacked(a: string, b: string): string {
	if (a === "0") return b;
	return b === "0" ? a : String(BigInt(a) + BigInt(b));
}

function middleOf(bucket: number): number {
	const isInside = bucket > 0 && bucket < BUCKETS - 1;
	const upper = isInside ? bucket - 0.5 : Math.min(bucket, BUCKETS - 2);
	return FIRST_BOUND_S * 2 ** (upper / BUCKETS_TO_DOUBLE);
}
