/** Of the messages that were submitted to a route in a time: how many, and how many of them a receipt has ended. */
export interface ReceiptCounts {
	readonly submitted: number;
	readonly ended: number;
	/** From submission to receipt, together, each at most {@link MAX_RECEIPT_WAIT_S}. */
	readonly receiptSeconds: number;
}

export interface MinuteCounts extends ReceiptCounts {
	/** The beginning of the minute of their submission. */
	readonly minute: Date;
}

interface ReceiptHistory {
	/** The last {@link RECENT_MS}, minutes without a submission left out, newest first. */
	readonly minutes: readonly MinuteCounts[];
	/** The day before. */
	readonly past: ReceiptCounts;
}

/** Undecided: too little was submitted lately or before, or the route's receipts take too long, or never came. */
export type ReceiptVerdict = "coming" | "missing" | "undecided";

/** A receipt is late after this many times the route's usual delay, but not before and never after these limits, s. */
const LATE_AFTER_DELAYS = 3;
const MIN_RECEIPT_WAIT_S = 60;
export const MAX_RECEIPT_WAIT_S = 900;
/** Minutes that are judged are not older, ms. */
export const RECENT_MS = 3_600_000 + MAX_RECEIPT_WAIT_S * 1_000;
/** Receipts that should have come by now: with fewer, chance alone might keep them away. */
const ENOUGH_EXPECTED = 20;
/** Submissions from which the usual share of receipts is known. */
const ENOUGH_PAST = 100;
/** Of the usual share: below it, receipts are missing. */
const MISSING_BELOW = 1 / 4;
/** Of the usual share: so many of the latest submissions say that receipts come again. */
const COMING_FROM = 1 / 2;
const FEWEST_TO_COME_AGAIN = 3;

const MINUTE_MS = 60_000;
const NONE: ReceiptCounts = { submitted: 0, ended: 0, receiptSeconds: 0 };

/**
 * Whether receipts of a route come as they used to. The latest submissions whose receipts should have come are compared
 * with those before. A silence is seen two minutes after the time that a receipt may take, at the latest, where enough
 * is submitted.
 * @param now of the clock by which the minutes were counted
 */
export function judgeReceipts(
	history: ReceiptHistory,
	now: Date,
): ReceiptVerdict {
	const verdict = compareWithPast(history, now);
	if (verdict !== "undecided") return verdict;
	// Also after a silence of a day, of which nothing usual is left.
	const since = now.getTime() - MAX_RECEIPT_WAIT_S * 1_000;
	const young = history.minutes.filter(
		({ minute }) => minute.getTime() > since,
	);
	return comesAgain(young, young.length, 1) ? "coming" : "undecided";
}

function compareWithPast(
	{ minutes, past }: ReceiptHistory,
	now: Date,
): ReceiptVerdict {
	const waitS = receiptWaitS(minutes.reduce(add, past));
	if (waitS === undefined) return "undecided";
	const dueBefore = now.getTime() - waitS * 1_000 - MINUTE_MS;
	const young = minutes.filter(({ minute }) => minute.getTime() > dueBefore);
	const due = minutes.slice(young.length);
	let judged = NONE;
	let usual = due.reduce(add, past);
	for (const [index, one] of due.entries()) {
		judged = add(judged, one);
		usual = subtract(usual, one);
		if (usual.submitted < ENOUGH_PAST) return "undecided";
		const share = shareOf(usual);
		if (judged.submitted * share < ENOUGH_EXPECTED) continue;
		if (shareOf(judged) >= share * MISSING_BELOW) return "coming";
		const latest = minutes.slice(0, young.length + index + 1);
		return comesAgain(latest, young.length, share) ? "coming" : "missing";
	}
	return "undecided";
}

/** How long a receipt of the route may take, s; undefined where that is longer than anyone can wait, or not known. */
function receiptWaitS({
	ended,
	receiptSeconds,
}: ReceiptCounts): number | undefined {
	if (ended === 0) return undefined;
	const lateAfterS = (receiptSeconds / ended) * LATE_AFTER_DELAYS;
	if (lateAfterS > MAX_RECEIPT_WAIT_S) return undefined;
	return Math.max(MIN_RECEIPT_WAIT_S, lateAfterS);
}

/** Receipts of the very latest submissions may still be on their way: the first `young` minutes may be passed over. */
function comesAgain(
	latest: readonly MinuteCounts[],
	young: number,
	share: number,
): boolean {
	for (let from = 0; from <= young; from++) {
		let sum = NONE;
		for (const one of latest.slice(from)) {
			sum = add(sum, one);
			if (
				sum.submitted >= FEWEST_TO_COME_AGAIN &&
				shareOf(sum) >= share * COMING_FROM
			)
				return true;
		}
	}
	return false;
}

function shareOf({ submitted, ended }: ReceiptCounts): number {
	return submitted === 0 ? 0 : ended / submitted;
}

function add(one: ReceiptCounts, other: ReceiptCounts): ReceiptCounts {
	return {
		submitted: one.submitted + other.submitted,
		ended: one.ended + other.ended,
		receiptSeconds: one.receiptSeconds + other.receiptSeconds,
	};
}

function subtract(one: ReceiptCounts, other: ReceiptCounts): ReceiptCounts {
	return {
		submitted: one.submitted - other.submitted,
		ended: one.ended - other.ended,
		receiptSeconds: one.receiptSeconds - other.receiptSeconds,
	};
}
