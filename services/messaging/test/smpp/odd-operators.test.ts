import type { Socket } from "node:net";
import { eventually } from "@airtower/platform/testing/eventually";
import { expect, test } from "vitest";
import {
	BIND_TRANSCEIVER,
	GENERIC_NACK,
	operatorOf,
	pdu,
	responseTo,
	SUBMIT,
	startRawServer,
} from "./raw-server.ts";
import { bound, outgoing } from "./route.ts";

test("nothing but the bind is sent before its response", async () => {
	const early: Buffer[] = [];
	const { operator } = await startRawServer(
		(socket) => {
			socket.on("data", (chunk: Buffer) => early.push(chunk));
			setTimeout(() => {
				socket.removeAllListeners("data").resume();
				socket.write(pdu(responseTo(BIND_TRANSCEIVER), 0, 1, "x\0"));
			}, 200);
		},
		{ limits: { enquireLinkMs: 20 } },
	);
	await bound(operator);
	const octets = Buffer.concat(early);
	expect(octets.readUInt32BE(4)).toBe(BIND_TRANSCEIVER);
	expect(octets).toHaveLength(octets.readUInt32BE(0));
});

test.each([
	["nothing", () => undefined],
	[
		"text",
		(socket: Socket) => socket.write("HTTP/1.1 400 Bad Request\r\n\r\n"),
	],
	["zeros", (socket: Socket) => socket.write(Buffer.alloc(64))],
	["the end at once", (socket: Socket) => socket.end()],
	[
		"half a PDU",
		(socket: Socket) => socket.end(Buffer.from("0000002180000009", "hex")),
	],
])(
	"a server that is no operator, responding with %s, is tried again and crashes nothing",
	async (_name, response) => {
		const { operator, connections } = await startRawServer(response, {
			limits: { responseTimeoutMs: 200 },
		});
		await eventually(() => expect(connections()).toBeGreaterThan(2));
		expect(operator.status().bound).toBe(false);
		expect((await operator.submit(outgoing({ onlyParts: [] }))).parts).toEqual(
			[],
		);
	},
);

test("the late end of a connection whose bind failed is not taken for that of the next one", async () => {
	const sockets: Socket[] = [];
	const accepting = operatorOf((sequence) =>
		pdu(responseTo(SUBMIT), 0, sequence, "abc\0"),
	);
	const { operator } = await startRawServer((socket) => {
		if (sockets.push(socket) > 1) accepting(socket);
		else refuseAndStay(socket);
	});
	await bound(operator);
	sockets[0]?.end();
	await eventually(() => expect(sockets[0]?.closed).toBe(true));
	for (let round = 0; round < 2; round++)
		expect((await operator.submit(outgoing())).parts).toMatchObject([
			{ kind: "accepted" },
		]);
	expect(sockets).toHaveLength(2);
});

/** Responds to a bind with a system error, and does not close its side when the client does. */
function refuseAndStay(socket: Socket): void {
	socket.allowHalfOpen = true;
	socket.on("data", (chunk: Buffer) =>
		socket.write(
			pdu(responseTo(BIND_TRANSCEIVER), 0x08, chunk.readUInt32BE(12)),
		),
	);
}

test.each([
	[
		"a malformed TLV after the id",
		(sequence: number) =>
			pdu(responseTo(SUBMIT), 0, sequence, "abc\0\x04\x27\x00\x01"),
		{ kind: "accepted", operatorMessageId: "abc" },
	],
	[
		"no body at all",
		(sequence: number) => pdu(responseTo(SUBMIT), 0, sequence),
		{ kind: "accepted", operatorMessageId: "" },
	],
	[
		"a refusal by generic_nack",
		(sequence: number) => pdu(GENERIC_NACK, 0x02, sequence),
		{ kind: "refused", permanent: true, operatorError: "0x02" },
	],
	[
		"a refusal of the session by generic_nack",
		(sequence: number) => pdu(GENERIC_NACK, 0x03, sequence),
		{ kind: "session", operatorError: "0x03" },
	],
	[
		"a generic_nack without a status",
		(sequence: number) => pdu(GENERIC_NACK, 0, sequence),
		{ kind: "unknown" },
	],
	[
		"responses to nothing first",
		(sequence: number) =>
			Buffer.concat([
				pdu(responseTo(SUBMIT), 0, 4_000, "zzz\0"),
				pdu(responseTo(SUBMIT), 0, sequence, "abc\0"),
			]),
		{ kind: "accepted", operatorMessageId: "abc" },
	],
	[
		"an id, with octets behind it that are no PDU",
		(sequence: number) =>
			Buffer.concat([
				pdu(responseTo(SUBMIT), 0, sequence, "abc\0"),
				Buffer.alloc(32, 0xff),
			]),
		{ kind: "accepted", operatorMessageId: "abc" },
	],
])(
	"a response of %s to a submit is understood",
	async (_name, response, outcome) => {
		const { operator } = await startRawServer(operatorOf(response));
		await bound(operator);
		const { parts } = await operator.submit(outgoing());
		expect(parts).toMatchObject([outcome]);
	},
);
