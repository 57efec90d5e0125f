import { once } from "node:events";
import { connect } from "node:net";
import { FrameReader } from "@airtower/messaging/src/operators/smpp-frames.ts";
import {
	decodePdu,
	encodePdu,
	type Pdu,
	type PduFields,
} from "@airtower/messaging/src/operators/smpp-pdu.ts";
import { expect, onTestFinished, test } from "vitest";
import { type Smsc, startSmsc } from "./smsc.ts";

const SUBMIT: PduFields = {
	destination_addr: "33612349999",
	short_message: Buffer.from("Hello"),
};
const ACCOUNT: PduFields = { system_id: "airtower", password: "airtower" };

/** A client that sends PDUs as it is told, and gives each one's answer. */
async function client() {
	const smsc: Smsc = await startSmsc();
	onTestFinished(() => smsc.close());
	const socket = connect(smsc.port, "127.0.0.1");
	onTestFinished(() => void socket.destroy());
	const frames = new FrameReader();
	let sequence = 0;
	const ask = async (command: string, fields: PduFields): Promise<Pdu> => {
		socket.write(encodePdu(command, ++sequence, fields));
		for (;;) {
			const [chunk] = (await once(socket, "data")) as [Buffer];
			for (const frame of frames.push(chunk)) {
				const pdu = decodePdu(frame);
				if (pdu.isResponse && pdu.sequence === sequence) return pdu;
			}
		}
	};
	return { smsc, ask };
}

async function boundClient() {
	const { smsc, ask } = await client();
	expect(await ask("bind_transmitter", ACCOUNT)).toMatchObject({ status: 0 });
	return { smsc, ask };
}

test.each<[string, PduFields, number]>([
	["a recipient with a plus", { destination_addr: "+33612349999" }, 0x0b],
	["a recipient with letters", { destination_addr: "Airtower" }, 0x0b],
	["no recipient", { destination_addr: "" }, 0x0b],
	["a name as a number", { source_addr: "Airtower" }, 0x0a],
	[
		"a name of 12 characters",
		{ source_addr: "AirtowerTeam", source_addr_ton: 5 },
		0x0a,
	],
	["255 octets", { short_message: Buffer.alloc(255, "a") }, 0x01],
	["text in two places", { message_payload: Buffer.from("Hello") }, 0xc1],
	["a validity in seconds", { validity_period: "3600" }, 0x62],
	["a 13th month", { validity_period: "261301000000000+" }, 0x62],
	["25 hours", { validity_period: "000000250000000R" }, 0x62],
	[
		"a relative time with a zone",
		{ validity_period: "000001000000004R" },
		0x62,
	],
])("%s is refused", async (_what, fields, status) => {
	const { smsc, ask } = await boundClient();
	const answer = await ask("submit_sm", { ...SUBMIT, ...fields });
	expect(answer).toMatchObject({ command: "submit_sm_resp", status });
	expect(smsc.log.entries).toMatchObject([{ status, id: "" }]);
	expect(smsc.stats).toMatchObject({ taken: 0, refused: 1 });
});

test.each<[string, PduFields]>([
	["no validity", {}],
	["a short code as its sender", { source_addr: "38000" }],
	["a name as its sender", { source_addr: "Airtower Co", source_addr_ton: 5 }],
	["a relative time", { validity_period: "000007235959000R" }],
	["an absolute time", { validity_period: "261231235959948-" }],
	["254 octets", { short_message: Buffer.alloc(254, "a") }],
	[
		"a payload alone",
		{ short_message: Buffer.alloc(0), message_payload: Buffer.alloc(300, "a") },
	],
])("%s is taken", async (_what, fields) => {
	const { ask } = await boundClient();
	const answer = await ask("submit_sm", { ...SUBMIT, ...fields });
	expect(answer).toMatchObject({ status: 0 });
});

test("a second bind is refused, and the session goes on as it was", async () => {
	const { smsc, ask } = await boundClient();
	expect(await ask("bind_transceiver", ACCOUNT)).toMatchObject({
		command: "bind_transceiver_resp",
		status: 0x05,
	});
	expect(await ask("submit_sm", SUBMIT)).toMatchObject({ status: 0 });
	expect(smsc.stats).toMatchObject({ sessions: 1, binds: 2, taken: 1 });
});
