import { eventually } from "@airtower/platform/testing/eventually";
import { silentLog } from "@airtower/platform/testing/log";
import { expect, onTestFinished, test } from "vitest";
import type { Receipt } from "../../services/messaging/src/domain/receipts/receipt.ts";
import { parseSmppRoute } from "../../services/messaging/src/operators/route/smpp-route.ts";
import { createSmppOperator } from "../../services/messaging/src/operators/smpp-operator.ts";
import { LIBRARIES, startJavaSmsc } from "./java-smsc.ts";

/** A route to an SMSC that nobody here wrote, bound. */
async function startRoute(port: number, query: string) {
	const url = `smpp://airtower:airtower@127.0.0.1:${port}?${query}`;
	const operator = createSmppOperator(parseSmppRoute(url), silentLog);
	onTestFinished(() => operator.close());
	const receipts: Receipt[] = [];
	operator.start({
		onReceipt: async (receipt) => void receipts.push(receipt),
		onMessage: async () => {},
	});
	operator.hold([0], () => true);
	await eventually(() => expect(operator.status().bound).toBe(true));
	return { operator, receipts };
}

const GSM = `${"a".repeat(151)}€${"[b]".repeat(100)}`;
const EMOJI = `${"ж".repeat(65)}😀${"ж".repeat(64)}😀😀 конец`;
const POLISH = `“${"zażółć gęślą jaźń… ".repeat(12)}”`;
const PLAIN = `"${"zazolc gesla jazn... ".repeat(12)}"`;

const TEXTS = [
	["short", "Hi {€}", "", "Hi {€}"],
	["long GSM-7 with an escape pair over a border", GSM, "", GSM],
	["UCS-2 with an emoji over a border", EMOJI, "", EMOJI],
	["GSM-7 that is forced into UCS-2", GSM, "&encoding=ucs2", GSM],
	["transliterated", POLISH, "&transliterate=yes", PLAIN],
] as const;
const MODES = ["udh", "sar", "payload"] as const;
const REFERENCES = [8, 16] as const;

/** How each library's SMSC writes ids, in responses and in receipts. */
const IDS = { Cloudhopper: "hex", Jsmpp: "hex-dec" } as const;

test.each(LIBRARIES)(
	"texts arrive as they were sent in every mode, decoded by an SMSC of %s, and its receipts find their parts",
	async (library) => {
		const smsc = await startJavaSmsc(library);
		for (const long of MODES)
			for (const bits of REFERENCES)
				for (const [what, body, more, expected] of TEXTS) {
					const name = `${what}, long=${long}, reference=${bits}`;
					const query = `ids=${IDS[library]}&long=${long}&reference=${bits}${more}&tlvs=0x1400:octets:1101,0x1401:octets:{reference}`;
					const { operator, receipts } = await startRoute(smsc.port, query);
					const { parts } = await operator.submit({
						messageId: "0199a1b2-0000-7000-8000-0000000000c9",
						organizationId: "0199a1b2-0000-7000-8000-0000000000aa",
						lane: 1,
						clientReference: "1107",
						attempt: 1,
						to: "+33612349999",
						sender: "Airtower",
						body,
						validitySeconds: 86_400,
						reference: 200,
					});
					const ids = parts.map((part) => {
						if (part.kind !== "accepted")
							throw new Error(`${name}: ${part.kind}`);
						return part.storeKey;
					});
					await eventually(() => {
						expect(smsc.messages.at(-1), name).toEqual({
							destination: "33612349999",
							parts: parts.length,
							text: expected,
							tlvs: "1400=1101,1401=1107",
						});
						const found = ids.filter((id) =>
							receipts.some(
								({ matchKeys, state }) =>
									state === "delivered" && matchKeys.includes(id),
							),
						);
						expect(found, name).toEqual(ids);
					});
					await operator.close();
				}
		expect(smsc.messages).toHaveLength(
			MODES.length * REFERENCES.length * TEXTS.length,
		);
	},
);
