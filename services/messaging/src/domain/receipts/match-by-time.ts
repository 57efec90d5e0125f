import type { NumberedKeys, WaitingPart } from "./judge-receipt.ts";

/** A receipt whose id no part has. */
export interface DatedReceipt extends NumberedKeys {
	readonly operatorMessageId: string;
	/** By the operator's clock, most often without seconds. */
	readonly submitDate: Date | undefined;
}

const MINUTE_MS = 60_000;
/** A submit date without seconds is 30 s early on average; the response and its record take some seconds more. */
const USUAL_MS = -30_000;
const TOLERANCE_MS = 90_000;
/** Fewer receipts that can be of one message alone do not tell a clock. */
const FEWEST = 10;
/** Of these, the share that must agree. */
const AGREEING = 0.8;

/** How many minutes an operator's clock is ahead of ours, by receipts to whose numbers one message alone went. */
export function findClockOffset(
	receipts: readonly DatedReceipt[],
	parts: readonly WaitingPart[],
): number | undefined {
	const partsTo = byRecipient(parts);
	const byNumber = Map.groupBy(receipts, ({ numberTails }) =>
		numberTails.join(),
	);
	const gaps = [...byNumber.values()].flatMap((alike) => {
		const [receipt] = alike;
		const [part, other] = receipt ? partsTo(receipt) : [];
		if (alike.length > 1 || part === undefined || other !== undefined)
			return [];
		const gap = receipt && gapMs(receipt, part);
		return gap === undefined ? [] : [gap];
	});
	const middle = gaps.toSorted((a, b) => a - b)[gaps.length >> 1];
	if (middle === undefined || gaps.length < FEWEST) return undefined;
	const minutes = Math.round((middle - USUAL_MS) / MINUTE_MS);
	const agreeing = gaps.filter((gap) => isNear(gap, minutes));
	return agreeing.length < AGREEING * gaps.length ? undefined : minutes;
}

interface TimedMatches {
	/** The one part of a receipt, by the receipt's id. */
	readonly parts: ReadonlyMap<number, WaitingPart>;
	/** Receipts that may be of several parts, or whose part may be another's. */
	readonly ambiguous: number;
}

/**
 * Matches receipts by the number and the submit date that they name. A part is a receipt's only where both fit no
 * other: receipts of one id count as one.
 */
export function matchByTime(
	receipts: readonly DatedReceipt[],
	parts: readonly WaitingPart[],
	offsetMinutes: number,
): TimedMatches {
	const partsTo = byRecipient(parts);
	const fitting = receipts.map((receipt) => ({
		receipt,
		parts: partsTo(receipt).filter((part) => {
			const gap = gapMs(receipt, part);
			return gap !== undefined && isNear(gap, offsetMinutes);
		}),
	}));
	const ids = new Map<WaitingPart, Set<string>>();
	for (const { receipt, parts } of fitting)
		for (const part of parts) {
			const known = ids.get(part) ?? new Set();
			ids.set(part, known.add(receipt.operatorMessageId));
		}
	const found = new Map<number, WaitingPart>();
	let ambiguous = 0;
	for (const { receipt, parts } of fitting) {
		const [part, other] = parts;
		if (part === undefined) continue;
		if (other !== undefined || ids.get(part)?.size !== 1) ambiguous++;
		else found.set(receipt.id, part);
	}
	return { parts: found, ambiguous };
}

/**
 * Parts that had been sent when a receipt came, to a number that it names; another one that it names is the sender's.
 */
function byRecipient(parts: readonly WaitingPart[]) {
	const byTail = Map.groupBy(parts, ({ recipientTail }) => recipientTail);
	return (receipt: DatedReceipt): WaitingPart[] =>
		receipt.numberTails
			.flatMap((tail) => byTail.get(tail) ?? [])
			.filter(
				({ recipientTail, senderTail, receiptsBefore }) =>
					receiptsBefore < receipt.id &&
					receipt.numberTails.every(
						(tail) => tail === recipientTail || tail === senderTail,
					),
			);
}

function gapMs(
	{ submitDate }: DatedReceipt,
	{ submittedAt }: WaitingPart,
): number | undefined {
	if (submitDate === undefined || submittedAt === null) return undefined;
	return submitDate.getTime() - submittedAt.getTime();
}

function isNear(gap: number, offsetMinutes: number): boolean {
	const wanted = offsetMinutes * MINUTE_MS + USUAL_MS;
	return Math.abs(gap - wanted) <= TOLERANCE_MS;
}

const OFFSET = /^([+-])(\d\d):(\d\d)$/;

/** "+02:00" of 120. */
export function writeOffset(minutes: number): string {
	const digits = (number: number) => String(number).padStart(2, "0");
	const size = Math.abs(minutes);
	const sign = minutes < 0 ? "-" : "+";
	return `${sign}${digits(Math.floor(size / 60))}:${digits(size % 60)}`;
}

/** Undefined when the text is no offset. */
export function readOffset(text: string): number | undefined {
	const found = OFFSET.exec(text);
	if (found === null) return undefined;
	const [, sign, hours, minutes] = found;
	const size = Number(hours) * 60 + Number(minutes);
	return sign === "-" ? -size : size;
}
