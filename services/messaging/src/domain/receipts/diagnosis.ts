import {
	canonicalKeys,
	ID_SCHEMES,
	type IdScheme,
	isOfForm,
	type ReceiptIds,
	receiptKeys,
} from "../operator-message-id.ts";
import {
	type Judgement,
	judgeReceipt,
	type WaitingPart,
} from "./judge-receipt.ts";
import {
	type DatedReceipt,
	findClockOffset,
	matchByTime,
	writeOffset,
} from "./match-by-time.ts";

export interface SampleReceipt extends DatedReceipt, ReceiptIds {
	/** As it is stored. */
	readonly matchKeys: readonly string[];
}

/** An operator account, and how its routes read ids. */
export interface AccountScheme {
	readonly account: string;
	readonly scheme: IdScheme;
	/** False where ids are read as they are written: over HTTP. */
	readonly mayChange: boolean;
}

export interface Tally {
	/** One part each, to a number that the receipt names. */
	readonly matched: number;
	/** One part each; the receipt names no number that tells. */
	readonly unnumbered: number;
	readonly ambiguous: number;
	readonly contradicted: number;
}

export interface Finding {
	readonly proposal: string;
	readonly tally: Tally;
	/** How many receipts one part each would be found for by applying it. */
	readonly wouldMatch: number;
	/** That is more than are matched as stored, and more than speak against it. */
	readonly isProposed: boolean;
}

export interface Diagnosis {
	readonly asStored: Tally;
	/** What matched, was ambiguous or contradicted at all; what is proposed first, by how many it matches. */
	readonly findings: readonly Finding[];
}

interface Hypothesis {
	readonly proposal: string;
	/** An id alone does not tell that a receipt is another account's. */
	readonly needsNumber?: boolean;
	readonly keysOf: (receipt: SampleReceipt) => readonly string[];
	readonly partsOf: (key: string) => readonly WaitingPart[];
}

/**
 * Tries on parked receipts of an account what would have matched them: each form of ids, each other account, and the
 * number and time that they name where their ids are of no use.
 * @param others of which parts wait too
 */
export function diagnose(
	own: AccountScheme,
	others: readonly AccountScheme[],
	receipts: readonly SampleReceipt[],
	parts: readonly WaitingPart[],
): Diagnosis {
	const byAccount = Map.groupBy(parts, ({ account }) => account);
	const ownParts = byAccount.get(own.account) ?? [];
	const partsOf = byKey(ownParts, ({ operatorKey }) => operatorKey);
	const asStored = tally(receipts, {
		proposal: "",
		keysOf: ({ matchKeys }) => matchKeys,
		partsOf,
	});
	const hypotheses = [
		...schemesToTry(own).map(([name, scheme]) =>
			otherScheme(name, scheme, ownParts),
		),
		...others.flatMap((other) => {
			const theirs = byAccount.get(other.account);
			return theirs === undefined ? [] : [otherAccount(other, theirs)];
		}),
	];
	const findings = hypotheses
		.map((hypothesis) => toFinding(hypothesis, receipts, foundBy(asStored)))
		.filter(({ tally }) => Object.values(tally).some((count) => count > 0));
	const best = findings.map((one) => (one.isProposed ? one.wouldMatch : 0));
	const already = Math.max(foundBy(asStored), ...best);
	const stray = receipts.filter(
		(receipt) =>
			judgeReceipt(receipt, receipt.matchKeys, partsOf).kind === "unmatched",
	);
	const timed = byTime(stray, ownParts, already);
	return { asStored, findings: [...findings, ...timed].toSorted(byWorth) };
}

/**
 * Proposed only where it finds more than any form of ids: an id tells whose a receipt is, and later ones have it too.
 */
function byTime(
	receipts: readonly SampleReceipt[],
	parts: readonly WaitingPart[],
	already: number,
): Finding[] {
	const offset = findClockOffset(receipts, parts);
	if (offset === undefined) return [];
	const found = matchByTime(receipts, parts, offset);
	const wouldMatch = found.parts.size;
	const { ambiguous } = found;
	return [
		{
			proposal: `clock=${writeOffset(offset)}`,
			tally: { matched: wouldMatch, unnumbered: 0, ambiguous, contradicted: 0 },
			wouldMatch,
			isProposed: wouldMatch > Math.max(already, ambiguous),
		},
	];
}

function toFinding(
	hypothesis: Hypothesis,
	receipts: readonly SampleReceipt[],
	already: number,
): Finding {
	const { proposal, needsNumber = false } = hypothesis;
	const found = tally(receipts, hypothesis);
	const wouldMatch = needsNumber ? found.matched : foundBy(found);
	const against = found.ambiguous + found.contradicted;
	const isProposed = wouldMatch > Math.max(already, against);
	return { proposal, tally: found, wouldMatch, isProposed };
}

/** Those of one form each first: where others do as well, they are the most exact. */
function schemesToTry({ mayChange }: AccountScheme): [string, IdScheme][] {
	if (!mayChange) return [];
	return [...ID_SCHEMES].toSorted(
		([one], [other]) => Number(one === "auto") - Number(other === "auto"),
	);
}

/** Of ids that are not of its forms a scheme says nothing, though they may be alike by its keys. */
function otherScheme(
	name: string,
	scheme: IdScheme,
	parts: readonly WaitingPart[],
): Hypothesis {
	return {
		proposal: `ids=${name}`,
		keysOf: (receipt) =>
			isOfScheme(receipt, scheme) ? receiptKeys(receipt, scheme) : [],
		partsOf: byKey(
			parts.filter((part) =>
				isOfForm(part.operatorMessageId, scheme.responseIds),
			),
			(part) => storeKey(part, scheme),
		),
	};
}

function isOfScheme(
	{ operatorMessageId, textId = "" }: ReceiptIds,
	{ receiptIds }: IdScheme,
): boolean {
	return [operatorMessageId, textId].some((id) => isOfForm(id, receiptIds));
}

function otherAccount(
	{ account, scheme }: AccountScheme,
	parts: readonly WaitingPart[],
): Hypothesis {
	return {
		proposal: `account=${account}`,
		needsNumber: true,
		keysOf: (receipt) => receiptKeys(receipt, scheme),
		partsOf: byKey(parts, ({ operatorKey }) => operatorKey),
	};
}

/** The key by which a part is stored under a scheme. */
export function storeKey(
	{ operatorMessageId }: Pick<WaitingPart, "operatorMessageId">,
	{ responseIds }: IdScheme,
): string {
	const [key = ""] = canonicalKeys(operatorMessageId, responseIds);
	return key;
}

function byKey(
	parts: readonly WaitingPart[],
	toKey: (part: WaitingPart) => string,
): Hypothesis["partsOf"] {
	const groups = Map.groupBy(parts, toKey);
	return (key) => groups.get(key) ?? [];
}

function tally(
	receipts: readonly SampleReceipt[],
	{ keysOf, partsOf }: Hypothesis,
): Tally {
	const kinds = receipts.map(
		(receipt) => judgeReceipt(receipt, keysOf(receipt), partsOf).kind,
	);
	const count = (wanted: Judgement["kind"]) =>
		kinds.filter((kind) => kind === wanted).length;
	return {
		matched: count("matched"),
		unnumbered: count("unnumbered"),
		ambiguous: count("ambiguous"),
		contradicted: count("contradicted"),
	};
}

/** How many receipts one part each is found for. */
export function foundBy({ matched, unnumbered }: Tally): number {
	return matched + unnumbered;
}

/** A number that fits counts before any without one; equal ones keep their order. */
function byWorth(one: Finding, other: Finding): number {
	const against = ({ tally }: Finding) => tally.ambiguous + tally.contradicted;
	return (
		Number(other.isProposed) - Number(one.isProposed) ||
		other.wouldMatch - one.wouldMatch ||
		other.tally.matched - one.tally.matched ||
		against(one) - against(other)
	);
}
