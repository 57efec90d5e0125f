import { createHash } from "node:crypto";
import { type Tx, transaction } from "@airtower/platform/database/database";
import { fault } from "@airtower/platform/runtime/fault";
import {
	type Batcher,
	createBatcher,
} from "@airtower/platform/work/micro-batcher";
import {
	type InboundPart,
	isOfLongText,
	type LongPart,
} from "../domain/inbound/inbound-part.ts";
import { joinParts, toPartSets } from "../domain/inbound/join-parts.ts";
import {
	findPartsOf,
	insertParts,
	lockTexts,
} from "../store/inbound/inbound-parts.ts";
import { insertSeen } from "../store/inbound/inbound-seen.ts";
import {
	groupByText,
	type JoinedParts,
	type ReceivedText,
	reportTexts,
	storeJoined,
	storeTexts,
	type TextReporter,
} from "./store-texts.ts";

const MAX_BATCH = 500;
const MAX_IN_FLIGHT = 1;
/** How long a part waits for the others of its text, from when the last of them came, ms. */
const PART_WAIT_MS = 600_000;
/** How long the same octets from the same phone are a repetition of the operator: of a text in one, ms. */
const REPEAT_MS = 600_000;
/** The same of a part, which has a reference as well, ms. */
const REPEAT_PART_MS = 86_400_000;
/** The same of what has an id of the operator's: longer than operators repeat a callback, ms. */
const REPEAT_ID_MS = 259_200_000;

/** An added part resolves once it is durable: itself, or the text that it makes whole. */
export function createInboundIntake(
	reporter: TextReporter,
): Batcher<InboundPart, void> {
	return createBatcher<InboundPart, void>({
		maxItems: MAX_BATCH,
		maxInFlight: MAX_IN_FLIGHT,
		flush: async (parts) => {
			await receive(reporter, parts);
			return parts.map(() => undefined);
		},
	});
}

async function receive(
	reporter: TextReporter,
	parts: readonly InboundPart[],
): Promise<void> {
	const { texts, repeated } = await transaction(reporter.sql, async (sql) => {
		const fresh = await keepNew(sql, parts);
		const isFresh = new Set(fresh);
		const whole = fresh.filter((part) => !isOfLongText(part));
		const again = parts.filter(
			(part) => !isFresh.has(part) && mayBeWrittenAgain(part),
		);
		const stored = await storeTexts(sql, whole.map(toText), again.map(toText));
		const joined = await joinWith(sql, fresh.filter(isOfLongText));
		const texts = [...stored, ...(await storeJoined(sql, joined))];
		return { texts, repeated: parts.length - fresh.length };
	});
	fault("messaging.after_inbound");
	reportTexts(reporter, texts, repeated);
}

/** Those that are no repetition of what came before, also within the batch. */
async function keepNew(
	sql: Tx,
	parts: readonly InboundPart[],
): Promise<InboundPart[]> {
	const byFingerprint = new Map<string, InboundPart>();
	for (const part of parts) {
		const fingerprint = fingerprintOf(part);
		if (!byFingerprint.has(fingerprint)) byFingerprint.set(fingerprint, part);
	}
	const seen = [...byFingerprint].map(([fingerprint, part]) => ({
		fingerprint,
		keepMs: repeatMs(part),
	}));
	const isNew = await insertSeen(sql, seen);
	return [...byFingerprint]
		.filter(([fingerprint]) => isNew.has(fingerprint))
		.map(([, part]) => part);
}

function repeatMs(part: InboundPart): number {
	if (part.operatorMessageId !== undefined) return REPEAT_ID_MS;
	return isOfLongText(part) ? REPEAT_PART_MS : REPEAT_MS;
}

/** With neither an id nor a reference a repetition is only supposed: the phone may have sent the same once more. */
function mayBeWrittenAgain(part: InboundPart): boolean {
	return part.operatorMessageId === undefined && !isOfLongText(part);
}

/** Of all that a repetition has in common, whichever of the account's routes brings it. */
function fingerprintOf(part: InboundPart): string {
	const { operatorAccount, sender, recipient, charset, octets, place } = part;
	const { operatorMessageId } = part;
	const { referenceBits, reference, total, number } = place ?? {};
	const where = [referenceBits, reference, total, number];
	const hash = createHash("sha256");
	if (operatorMessageId !== undefined)
		hash.update(JSON.stringify([operatorAccount, operatorMessageId, ...where]));
	else {
		const from = [operatorAccount, sender, recipient, charset];
		hash.update(JSON.stringify([...from, ...where])).update(octets);
	}
	return hash.digest("hex");
}

function toText(part: InboundPart): ReceivedText {
	const { route, sender, recipient } = part;
	const joined = joinParts(new Map([[1, part]]), 1);
	return {
		...joined,
		route,
		sender,
		recipient,
		partCount: part.partCount ?? 1,
		isComplete: true,
		receivedAt: null,
	};
}

/** Stores parts of long texts beside those that wait; returns the texts that they make whole. */
async function joinWith(
	sql: Tx,
	parts: readonly LongPart[],
): Promise<JoinedParts[]> {
	if (parts.length === 0) return [];
	const keys = parts.map(({ place, ...part }) => ({ ...part, ...place }));
	await lockTexts(sql, keys);
	await insertParts(sql, parts, PART_WAIT_MS);
	const waiting = groupByText(await findPartsOf(sql, keys));
	return waiting.flatMap(toPartSets).filter((set) => isWhole(set));
}

function isWhole(set: JoinedParts): boolean {
	const [first] = set.values();
	return set.size === first?.total;
}
