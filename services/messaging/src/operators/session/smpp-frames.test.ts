import fc from "fast-check";
import { expect, test } from "vitest";
import {
	decodePdu,
	encodePdu,
	FrameReader,
	SmppStreamError,
} from "./smpp-pdu.ts";

const PDUS = [
	encodePdu("enquire_link", 1),
	encodePdu("submit_sm_resp", 2, { message_id: "abc" }),
	encodePdu("deliver_sm", 3, { short_message: Buffer.alloc(140, "x") }),
	encodePdu("generic_nack", 4, {}, 3),
];

test("PDUs come out whole, however the stream is cut", () => {
	const stream = Buffer.concat(PDUS);
	fc.assert(
		fc.property(
			fc.array(fc.nat({ max: stream.length }), { maxLength: 20 }),
			(cuts) => {
				const bounds = [0, ...cuts, stream.length].sort((a, b) => a - b);
				const reader = new FrameReader();
				const frames = bounds
					.slice(1)
					.flatMap((end, i) => [
						...reader.push(stream.subarray(bounds[i], end)),
					])
					.map((frame) => Buffer.from(frame));
				expect(frames).toEqual(PDUS);
			},
		),
	);
});

test.each([0, 15, 70_001, 0xffffffff])(
	"a length of %i ends the stream, and the PDUs before it count",
	(length) => {
		const octets = Buffer.alloc(16);
		octets.writeUInt32BE(length, 0);
		const frames: Buffer[] = [];
		const read = () => {
			const stream = Buffer.concat([...PDUS, octets]);
			for (const frame of new FrameReader().push(stream)) frames.push(frame);
		};
		expect(read).toThrow(SmppStreamError);
		expect(frames).toEqual(PDUS);
	},
);

test("no octets make the decoder throw", () => {
	const ids = [4, 5, 0x103, 0x80000004, 0x80000009, 0x80000000, 0x15, 0x999];
	fc.assert(
		fc.property(
			fc.constantFrom(...ids),
			fc.uint8Array({ maxLength: 200 }),
			(id, body) => {
				const octets = Buffer.concat([Buffer.alloc(16), body]);
				octets.writeUInt32BE(octets.length, 0);
				octets.writeUInt32BE(id, 4);
				octets.writeUInt32BE(42, 12);
				expect(decodePdu(octets)).toMatchObject({
					sequence: 42,
					isResponse: id >= 0x80000000,
				});
			},
		),
	);
});

test("texts and times stay octets", () => {
	const octets = encodePdu("submit_sm", 9, {
		validity_period: "000001000000000R",
		data_coding: 0,
		short_message: Buffer.from("a_@\u00e9", "latin1"),
	});
	expect(decodePdu(octets).fields).toMatchObject({
		validity_period: "000001000000000R",
		short_message: Buffer.from("a_@\u00e9", "latin1"),
	});
});

test.each([
	["deliver_sm_resp", 17],
	["data_sm_resp", 17],
	["submit_sm_resp", 16],
	["generic_nack", 16],
])("a refusal by %s has %i octets", (command, length) => {
	const octets = encodePdu(command, 9, {}, 0x64);
	expect(octets).toHaveLength(length);
	expect(octets.readUInt32BE(0)).toBe(length);
	expect(octets.readUInt32BE(8)).toBe(0x64);
});
