import { eventually } from "@airtower/platform/testing/eventually";
import { expect, test } from "vitest";
import type { InboundPart } from "../../src/domain/inbound/inbound-part.ts";
import { joinParts } from "../../src/domain/inbound/join-parts.ts";
import { parseSmppRoute } from "../../src/operators/route/smpp-route.ts";
import { decodePdu } from "../../src/operators/session/smpp-pdu.ts";
import { readInboundPart } from "../../src/operators/smpp-inbound.ts";
import { DELIVER, pdu } from "./raw-server.ts";
import { startRoute } from "./route.ts";

const FROM = "+33612345678";
const TO = "+33700000001";
const MIXED = "Ça coûte 10 €, [d'accord] ? Oui. ".repeat(12);

function read(parts: readonly InboundPart[]) {
	const numbered = parts.map(
		(part) => [part.place?.number ?? 1, part] as const,
	);
	return joinParts(new Map(numbered), parts[0]?.place?.total ?? 1);
}

test.each([
	{ form: "udh8", dataCoding: 0, query: "" },
	{ form: "udh16", dataCoding: 8, query: "" },
	{ form: "sar", dataCoding: 0, query: "" },
	{ form: "payload", dataCoding: 8, query: "" },
	{ form: "sar", dataCoding: 3, query: "alphabet=latin1" },
] as const)(
	"a text in $form parts of coding $dataCoding is read over several binds, byte for byte",
	async ({ form, dataCoding, query }) => {
		const { smsc, messages } = await startRoute({ query: `binds=2&${query}` });
		const text =
			dataCoding === 8
				? `🙂${MIXED}`
				: dataCoding === 3
					? MIXED.replaceAll("€", "$")
					: MIXED.replaceAll("Ça coûte", "Ça va");
		smsc.originate({
			from: FROM,
			to: TO,
			text,
			form,
			dataCoding,
			isShuffled: true,
		});
		await eventually(() => expect(smsc.stats.messagesPending).toBe(0));
		expect(messages[0]).toMatchObject({ sender: FROM, recipient: TO });
		expect(read(messages)).toEqual({
			body: text,
			encoding: dataCoding === 8 ? "ucs2" : "gsm7",
		});
	},
);

test("binary content is kept in octets", async () => {
	const { smsc, messages } = await startRoute();
	const hex = "00ff80".repeat(60);
	smsc.originate({ from: FROM, to: TO, hex, dataCoding: 4 });
	await eventually(() => expect(smsc.stats.messagesPending).toBe(0));
	const octets = Buffer.from(hex, "hex").toString("base64");
	expect(read(messages)).toEqual({ body: octets, encoding: "binary" });
});

test("a text is responded to once it is stored, and sent again where it could not be", async () => {
	let fails = 2;
	const { smsc, messages, logs } = await startRoute({
		smsc: { settings: { redeliverMs: 20 } },
		onMessage: async () => {
			if (fails-- > 0) throw new Error("the database is away");
		},
	});
	smsc.originate({ from: FROM, to: TO, text: "private words" });
	await eventually(() => expect(smsc.stats.messagesTaken).toBe(1));
	expect(messages).toHaveLength(1);
	expect(smsc.stats.messagesAgain).toBe(2);
	expect(logs.join("")).toContain("SMPP message not stored");
	expect(logs.join("")).not.toContain("private");
});

test("a header that is longer than the text is none, and the text is read", async () => {
	const { smsc, messages } = await startRoute();
	const short_message = Buffer.from("STOP");
	smsc.deliver([{ esm_class: 0x40, short_message, source_addr: "1" }]);
	await eventually(() => expect(messages).toHaveLength(1));
	expect(messages[0]).toMatchObject({
		place: undefined,
		sender: "1",
		octets: short_message,
	});
});

/** A part of a text whose sar_* TLVs have these octets, in hexadecimal. */
function partWith(reference: string, total: string, number: string) {
	const tlv = (tag: string, hex: string) =>
		`${tag}${(hex.length / 2).toString(16).padStart(4, "0")}${hex}`;
	const tlvs = [
		tlv("020c", reference),
		tlv("020e", total),
		tlv("020f", number),
	];
	const body = Buffer.concat([
		Buffer.from("\0\x01\x01336\0\x01\x01337\0\0\0\0\0\0\0\0\0\0\x02hi"),
		Buffer.from(tlvs.join(""), "hex"),
	]);
	const route = parseSmppRoute("smpp://airtower:airtower@127.0.0.1");
	return readInboundPart(decodePdu(pdu(DELIVER, 0, 1, body)), route);
}

test.each([
	["0107", "02", "01", { reference: 0x0107, total: 2, number: 1 }],
	["ff010107", "0002", "00000001", { reference: 0x0107, total: 2, number: 1 }],
	["0107", "012c", "01", undefined],
	["0107", "ff000000", "01", undefined],
])(
	"sar_* TLVs of %s, %s and %s, some longer than the standard's, name a place that can be stored, or none",
	(reference, total, number, place) => {
		const part = partWith(reference, total, number);
		expect(part.octets.toString()).toBe("hi");
		if (place === undefined) expect(part.place).toBeUndefined();
		else expect(part.place).toEqual({ referenceBits: 16, ...place });
	},
);
