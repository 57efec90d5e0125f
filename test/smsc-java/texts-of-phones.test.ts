import { uuidv7 } from "@airtower/platform/runtime/ids";
import { eventually } from "@airtower/platform/testing/eventually";
import { topics } from "@airtower/proto/rules/topics";
import { expect, onTestFinished, test } from "vitest";
import { insertInboundNumber } from "../../services/messaging/src/store/inbound/inbound-numbers.ts";
import { startTestService } from "../../services/messaging/test/support/service.ts";
import { LIBRARIES, startJava } from "./java-smsc.ts";

const TEXTS = 320;
const PHONES = 15;
const TO = "+33700000001";
const PATIENT = { timeoutMs: 240_000 };

const FORMS = ["udh8", "udh16", "sar", "payload"] as const;
const CHARSETS = ["gsm", "latin1", "ucs2", "binary"] as const;
/** Octets of a part, as Cloudhopper splits. */
const PART = 134;

const UNITS = {
	gsm: "Où Ça? {[€]} @|~^\\ ΔΩ ñ ",
	latin1: "Ça coûte £3 ¼ þ ÿ ",
	ucs2: "Привет 🙂 ",
	binary: "",
} as const;

interface SentText {
	readonly from: string;
	readonly line: string;
	readonly body: string;
	readonly encoding: string;
	readonly parts: number;
}

/** Of 1 to 10 parts in every charset and form, no two alike; every fifth comes twice. */
function textOf(nth: number): SentText {
	const charset = CHARSETS[nth % 4] ?? "gsm";
	const form = FORMS[Math.floor(nth / 4) % 4] ?? "udh8";
	const parts = 1 + (Math.floor(nth / 16) % 10);
	const from = `336123${10_000 + (nth % PHONES)}`;
	const octets = parts === 1 ? 40 : PART * (parts - 1) + 60;
	const content = contentOf(nth, charset, octets);
	const reference = Math.floor(nth / PHONES) * (form === "udh8" ? 1 : 900);
	const times = nth % 5 === 0 ? 2 : 1;
	const base64 = content.toString("base64");
	const isBinary = charset === "binary";
	return {
		from: `+${from}`,
		line: `text ${from} ${TO.slice(1)} ${charset} ${form} ${reference} ${times} ${base64}`,
		body: isBinary ? base64 : content.toString(),
		encoding: isBinary ? "binary" : charset === "ucs2" ? "ucs2" : "gsm7",
		parts: form === "payload" ? 1 : parts,
	};
}

/** UTF-8 of a text that takes so many octets or a few less in its charset; of binary content the octets. */
function contentOf(
	nth: number,
	charset: (typeof CHARSETS)[number],
	octets: number,
): Buffer {
	if (charset === "binary") {
		const all = Array.from({ length: octets }, (_, at) => (at * 7 + nth) % 256);
		return Buffer.from([nth >> 8, nth & 0xff, ...all.slice(2)]);
	}
	const sizes = { gsm: sizeInGsm, latin1: () => 1, ucs2: sizeInUcs2 };
	const sizeOf = sizes[charset];
	const unit = [...UNITS[charset]];
	let [text, left] = ["", octets];
	for (const character of `${nth} `) {
		text += character;
		left -= sizeOf(character);
	}
	for (let at = 0; left >= 4; at++) {
		const character = unit[at % unit.length] ?? "";
		text += character;
		left -= sizeOf(character);
	}
	return Buffer.from(text);
}

function sizeInGsm(character: string): number {
	return "{}[]€|~^\\".includes(character) ? 2 : 1;
}

function sizeInUcs2(character: string): number {
	return character.length * 2;
}

/** A few, for people to read. */
function differences(got: readonly string[], sent: readonly string[]) {
	const without = (all: readonly string[], others: readonly string[]) =>
		[...new Set(all).difference(new Set(others))].slice(0, 3);
	return { missing: without(sent, got), wrong: without(got, sent) };
}

const byCharacters = (one: string, other: string) => (one < other ? -1 : 1);

const toLine = (...fields: unknown[]) => JSON.stringify(fields);

test.each(LIBRARIES)(
	"texts of 1 to 10 parts that an SMSC of %s encodes and sends over two binds in any order, some twice, are each stored once, byte for byte, with one event",
	async (library) => {
		let delivered = 0;
		const phones = await startJava("Phones", [library], ([count]) => {
			delivered = Number(count);
		});
		const service = await startTestService({
			env: {
				SMPP_ROUTE_URL: `smpp://airtower:airtower@127.0.0.1:${phones.port}?binds=2`,
			},
			realOperator: true,
		});
		onTestFinished(() => service.close());
		const organizationId = uuidv7();
		const number = { number: TO, keyword: null, organizationId };
		await insertInboundNumber(service.sql, number);
		const events: string[] = [];
		await service.events.bus.subscribe({
			group: "test",
			topics: [topics.messagingEvent],
			ephemeral: true,
			onBatch: async (batch) =>
				void events.push(...batch.map(({ key }) => key)),
		});

		const texts = Array.from({ length: TEXTS }, (_, nth) => textOf(nth));
		for (const { line } of texts) phones.write(line);
		phones.write("deliver 2");
		await eventually(() => expect(delivered).toBeGreaterThan(TEXTS), PATIENT);

		const stored = await service.sql`
			select id, sender, body, encoding, part_count, is_complete
			from inbound_messages
			where organization_id = ${organizationId}
		`;
		const got = stored.map((row) =>
			toLine(row.sender, row.encoding, row.part_count, row.body),
		);
		const sent = texts.map(({ from, encoding, parts, body }) =>
			toLine(from, encoding, parts, body),
		);
		expect(differences(got, sent)).toEqual({ missing: [], wrong: [] });
		expect(stored).toHaveLength(TEXTS);
		expect(stored.every((row) => row.is_complete)).toBe(true);
		expect(await service.sql`select from inbound_parts`).toHaveLength(0);
		await eventually(
			() => expect(events.length).toBeGreaterThanOrEqual(TEXTS),
			PATIENT,
		);
		const ids = stored.map(({ id }) => String(id));
		expect(events.toSorted(byCharacters)).toEqual(ids.toSorted(byCharacters));
	},
	600_000,
);
