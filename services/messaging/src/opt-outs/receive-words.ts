import { hash } from "node:crypto";
import type { Tx } from "@airtower/platform/database/database";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import {
	findCountry,
	normalizeNationalNumber,
	normalizePhoneNumber,
	toPresentPlan,
} from "@airtower/proto/rules/phone-number";
import type { InboundText } from "../domain/inbound/inbound-text.ts";
import { lacksBeginning } from "../domain/inbound/join-parts.ts";
import {
	type SetLists,
	type WordFamily,
	wordsFor,
} from "../domain/opt-outs/opt-out-words.ts";
import { readWord } from "../domain/opt-outs/read-word.ts";
import { REPLY_TEXTS } from "../domain/opt-outs/reply-texts.ts";
import { mayHaveSent } from "../domain/sender-id-state.ts";
import { findUnseen, insertSeen } from "../store/inbound/inbound-seen.ts";
import { dropReplies, insertReply } from "../store/opt-outs/opt-out-replies.ts";
import {
	findOptOutSettings,
	type OptOutSettingsRow,
} from "../store/opt-outs/opt-out-settings.ts";
import { findSetLists } from "../store/opt-outs/opt-out-words.ts";
import { findOptedOut, liftOptOuts } from "../store/opt-outs/opt-outs.ts";
import { findSenders } from "../store/senders/sender-ids.ts";
import { addOptOuts } from "./add-opt-outs.ts";

type InboundWords = Pick<
	InboundText,
	| "organizationId"
	| "sender"
	| "recipient"
	| "body"
	| "encoding"
	| "keyword"
	| "isComplete"
> & {
	/** It may be one that the operator sent again: STOP is obeyed, for START may come later than a newer STOP. */
	readonly isRepeated?: boolean;
};

/**
 * Obeys the first word of each text where it is a STOP, START or HELP word, in the transaction that stores the texts.
 * The response waits in a table of its own, and is sent once nothing else is on its way to the number.
 */
export async function receiveWords(
	sql: Tx,
	texts: readonly InboundWords[],
): Promise<void> {
	const owned = texts.filter(
		(text) =>
			text.organizationId !== null &&
			text.encoding !== "binary" &&
			!lacksBeginning(text),
	);
	if (owned.length === 0) return;
	const set = await findSetLists(sql);
	// In one order of phones, so that no two processes wait for each other.
	const bySender = owned.toSorted((a, b) => a.sender.localeCompare(b.sender));
	for (const text of bySender) await receiveWord(sql, set, text);
}

async function receiveWord(
	sql: Tx,
	set: SetLists,
	{ organizationId, isRepeated = false, ...inbound }: InboundWords,
): Promise<void> {
	const recipient = findPhone(inbound);
	if (organizationId === null || recipient === undefined) return;
	const words = wordsFor(findCountry(recipient), set);
	const family = readWord(inbound.body, words, inbound.keyword ?? "");
	if (family === undefined || (isRepeated && family !== "stop")) return;
	const settings = await findOptOutSettings(sql, organizationId);
	// Senders that are numbers are written without "+".
	const sender = inbound.recipient.replace("+", "");
	const asked = { organizationId, recipient, sender, settings };
	if (family === "stop") await stop(sql, asked);
	else if (family === "start") await start(sql, asked);
	else await help(sql, asked);
}

/**
 * Who wrote a text. Some operators write phones of the receiving number's country without its code. Such digits may be
 * a number of another country as well, so the national one counts first. Of a short code no country is known: to it
 * American phones write with the 1 that is their country's code too.
 */
function findPhone({
	sender,
	recipient,
}: Pick<InboundWords, "sender" | "recipient">): string | undefined {
	if (sender.startsWith("+")) return normalizePhoneNumber(sender, "");
	const country = findCountry(recipient) ?? "";
	return (
		normalizeNationalNumber(sender, country) ??
		normalizePhoneNumber(toPresentPlan(sender), country)
	);
}

interface Asked {
	readonly organizationId: string;
	/** Who asks: nobody else's messages are stopped. */
	readonly recipient: string;
	readonly sender: string;
	readonly settings: OptOutSettingsRow;
}

/** A number that was listed already gets no second confirmation. */
async function stop(sql: Tx, asked: Asked): Promise<void> {
	const { organizationId, recipient } = asked;
	const optOut = { recipient, sender: await findScope(sql, asked) };
	const added = await addOptOuts(sql, organizationId, "keyword", [optOut]);
	await dropReplies(sql, organizationId, recipient, ["start", "help"]);
	if (added.length > 0) await respond(sql, asked, "stop", true);
}

/**
 * Whose messages end: those of the number that the word was sent to, or all of the organization's, for which it is
 * empty. Where the number has never been a sender of the organization, what it meant can only be the messages of
 * others.
 */
async function findScope(
	sql: Tx,
	{ organizationId, sender, settings }: Asked,
): Promise<string> {
	if (settings.scope === "organization") return "";
	const wanted = { organizationId, id: "", value: sender };
	const senders = await findSenders(sql, [wanted]);
	return senders.some(({ status }) => mayHaveSent(status)) ? sender : "";
}

async function start(sql: Tx, asked: Asked): Promise<void> {
	const { organizationId, recipient } = asked;
	const lifted = await liftOptOuts(sql, organizationId, asked);
	await dropReplies(sql, organizationId, recipient, ["stop"]);
	if (lifted > 0) await respond(sql, asked, "start", false);
}

/** Who has opted out is helped all the same. Who opts out right after asking gets no help after the confirmation. */
async function help(sql: Tx, asked: Asked): Promise<void> {
	const message = { ...asked, messageClass: null };
	const optedOut = await findOptedOut(sql, [message]);
	await respond(sql, asked, "help", optedOut.size > 0);
}

async function respond(
	sql: Tx,
	asked: Asked,
	family: WordFamily,
	exempt: boolean,
): Promise<void> {
	const { organizationId, recipient, sender, settings } = asked;
	const body = settings[`${family}Text`] ?? REPLY_TEXTS[family];
	if (body === "" || !(await mayRespond(sql, asked))) return;
	const reply = { id: uuidv7(), recipient, sender, family, body, exempt };
	await insertReply(sql, organizationId, reply);
}

/** To a phone from a number, in as long a time: a machine that responds to each of them would never end, and each costs. */
const MOST_RESPONSES = 10;
const RESPONSES_WITHIN_MS = 86_400_000;

async function mayRespond(
	sql: Tx,
	{ organizationId, recipient, sender }: Asked,
): Promise<boolean> {
	const places = Array.from({ length: MOST_RESPONSES }, (_, nth) =>
		hash("sha256", JSON.stringify([organizationId, recipient, sender, nth])),
	);
	for (const fingerprint of await findUnseen(sql, places)) {
		const place = { fingerprint, keepMs: RESPONSES_WITHIN_MS };
		const taken = await insertSeen(sql, [place]);
		if (taken.size > 0) return true;
	}
	return false;
}
