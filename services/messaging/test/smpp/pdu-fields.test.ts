import { expect, test } from "vitest";
import { outgoing, startRoute } from "./route.ts";

const LONG = "a".repeat(400);
const text = (hex: string | undefined) =>
	Buffer.from(hex ?? "", "hex").toString();

test("service type, protocol and priority of the route are in every part", async () => {
	const { submit, smsc } = await startRoute({
		query: "servicetype=CMT&protocol=65&priority=3",
	});
	await submit({ body: LONG });
	const fields = smsc.log
		.taken()
		.map((entry) => [entry.serviceType, entry.protocolId, entry.priority]);
	expect(fields).toEqual(Array(3).fill(["CMT", 65, 3]));
});

test("without options a part has none of them", async () => {
	const { submit, smsc } = await startRoute();
	await submit();
	expect(smsc.log.taken()[0]).toMatchObject({
		serviceType: "",
		protocolId: 0,
		priority: 0,
		tlvs: {},
	});
});

test.each(["udh", "sar", "payload"])(
	"India's entity and template ids go with every part (long=%s), the text unharmed",
	async (long) => {
		const { submit, smsc } = await startRoute({
			query: `long=${long}&tlvs=0x1400:octets:1101234567890123456,0x1401:octets:{reference}`,
		});
		const parts = await submit({
			body: LONG,
			clientReference: "1107161234567890123",
		});
		const entries = smsc.log.taken();
		expect(entries).toHaveLength(parts.length);
		expect(entries.map((entry) => entry.text).join("")).toBe(LONG);
		for (const { tlvs } of entries) {
			expect(text(tlvs["0x1400"])).toBe("1101234567890123456");
			expect(text(tlvs["0x1401"])).toBe("1107161234567890123");
		}
	},
);

test("a TLV is made of constants and fields of the message, as octets, a C string or an integer", async () => {
	const { submit, smsc } = await startRoute({
		query:
			"tlvs=0x1500:octets:{organization}/{message},0x1501:cstring:from {sender}" +
			",0x1502:int8:7,0x1503:int16:{reference},0x1504:int32:{reference}",
	});
	const { organizationId, messageId } = outgoing();
	await submit({ clientReference: "258" });
	expect(smsc.log.taken()[0]?.tlvs).toEqual({
		"0x1500": Buffer.from(`${organizationId}/${messageId}`).toString("hex"),
		"0x1501": Buffer.from("from Airtower\0").toString("hex"),
		"0x1502": "07",
		"0x1503": "0102",
		"0x1504": "00000102",
	});
});

test.each([null, "order 7", "70000"])(
	"a TLV that reference %j cannot fill is left out, the message goes",
	async (clientReference) => {
		const { submit, smsc } = await startRoute({
			query: "tlvs=0x1500:int16:{reference},0x1501:int8:1",
		});
		expect(await submit({ clientReference })).toMatchObject([
			{ kind: "accepted" },
		]);
		expect(smsc.log.taken()[0]?.tlvs).toEqual({ "0x1501": "01" });
	},
);
