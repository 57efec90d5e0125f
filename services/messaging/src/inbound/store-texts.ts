import type { Db, Tx } from "@airtower/platform/database/database";
import { appendToOutbox } from "@airtower/platform/events/outbox";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { messagingEvent } from "@airtower/proto/rules/messaging-event";
import { topics } from "@airtower/proto/rules/topics";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { findOwner } from "../domain/inbound/find-owner.ts";
import type { StoredInboundText } from "../domain/inbound/inbound-text.ts";
import {
	joinParts,
	lacksBeginning,
	type PartSet,
} from "../domain/inbound/join-parts.ts";
import { receiveWords } from "../opt-outs/receive-words.ts";
import {
	insertInboundTexts,
	type NewInboundText,
} from "../store/inbound/inbound-messages.ts";
import { findInboundNumbers } from "../store/inbound/inbound-numbers.ts";
import {
	deleteParts,
	type WaitingPart,
} from "../store/inbound/inbound-parts.ts";
import type { Telemetry } from "../telemetry.ts";

/** A text before its owner is known. */
export type ReceivedText = Omit<
	NewInboundText,
	"id" | "organizationId" | "keyword"
>;

/** Parts of one text that is whole, or is given on as it is. */
export type JoinedParts = PartSet<WaitingPart>;

export interface TextReporter {
	readonly sql: Db;
	readonly telemetry: Telemetry;
	/** To be told that events wait to be published. */
	readonly onReceived: () => void;
}

/**
 * Stores texts for those who have their numbers, an event of each that somebody has, and what STOP and the like ask.
 * @param repeated not stored again: of these STOP alone is obeyed
 */
export async function storeTexts(
	sql: Tx,
	received: readonly ReceivedText[],
	repeated: readonly ReceivedText[] = [],
): Promise<StoredInboundText[]> {
	const all = [...received, ...repeated];
	if (all.length === 0) return [];
	const recipients = new Set(all.map(({ recipient }) => recipient));
	const numbers = await findInboundNumbers(sql, [...recipients]);
	const toOwned = (text: ReceivedText) => {
		const beginning = lacksBeginning(text) ? "" : text.body;
		return { ...text, ...findOwner(numbers, text.recipient, beginning) };
	};
	const owned = received.map((text) => ({ ...toOwned(text), id: uuidv7() }));
	const texts = await insertInboundTexts(sql, owned);
	await appendToOutbox(sql, texts.flatMap(toEvent));
	const again = repeated.map((text) => ({
		...toOwned(text),
		isRepeated: true,
	}));
	await receiveWords(sql, [...texts, ...again]);
	return texts;
}

/** The same of texts that came in parts, which wait no more. */
export async function storeJoined(
	sql: Tx,
	joined: readonly JoinedParts[],
): Promise<StoredInboundText[]> {
	if (joined.length === 0) return [];
	const parts = joined.flatMap((set) => [...set.values()]);
	await deleteParts(
		sql,
		parts.map(({ id }) => id),
	);
	return storeTexts(sql, joined.flatMap(toText));
}

function toText(set: JoinedParts): ReceivedText[] {
	const parts = [...set.values()];
	const last = parts.at(-1);
	if (last === undefined) return [];
	const { route, sender, recipient, total } = last;
	return [
		{
			...joinParts(set, total),
			route,
			sender,
			recipient,
			partCount: total,
			isComplete: set.size === total,
			receivedAt: last.receivedAt,
		},
	];
}

function toEvent(text: StoredInboundText) {
	const { id, organizationId, receivedAt, body, encoding } = text;
	if (organizationId === null) return [];
	const at = timestampFromDate(receivedAt);
	const event = messagingEvent({
		eventKey: id,
		organizationId,
		occurredAt: at,
		kind: {
			case: "received",
			value: {
				id,
				body,
				encoding,
				from: text.sender,
				to: text.recipient,
				parts: text.partCount,
				isComplete: text.isComplete,
				receivedAt: at,
				keyword: text.keyword ?? "",
			},
		},
	});
	return [{ id: uuidv7(), topic: topics.messagingEvent, ...event }];
}

/** Parts by the text that they are of, in their order. */
export function groupByText(parts: readonly WaitingPart[]): WaitingPart[][] {
	const keyOf = (part: WaitingPart) =>
		JSON.stringify([
			part.operatorAccount,
			part.sender,
			part.recipient,
			part.referenceBits,
			part.reference,
			part.total,
		]);
	return [...Map.groupBy(parts, keyOf).values()];
}

/** Counts what was stored, once that is committed. */
export function reportTexts(
	{ telemetry, onReceived }: TextReporter,
	texts: readonly StoredInboundText[],
	repeated = 0,
): void {
	for (const text of texts) telemetry.inbound.inc({ result: resultOf(text) });
	telemetry.inbound.inc({ result: "repeated" }, repeated);
	if (texts.length > 0) onReceived();
}

function resultOf({ organizationId, isComplete }: StoredInboundText) {
	if (organizationId === null) return "unowned";
	return isComplete ? "received" : "incomplete";
}
