import { createSocket, type Socket } from "node:dgram";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDnsResolver, type Resolve } from "./resolver.ts";

const TYPE_A = 1;
const NO_ERROR = 0x8180;
const NO_SUCH_NAME = 0x8183;
const SERVER_FAILURE = 0x8182;

/** Answer records (type and data) or a failure, by name and type. */
type Zone = Record<string, { A: Buffer[] | number; AAAA: Buffer[] | number }>;

const ZONE: Zone = {
	"both.test": { A: [Buffer.from([192, 0, 2, 1])], AAAA: [sixteen(1)] },
	"four.test": {
		A: [Buffer.from([192, 0, 2, 1]), Buffer.from([192, 0, 2, 2])],
		AAAA: [],
	},
	"half.test": { A: SERVER_FAILURE, AAAA: [sixteen(2)] },
	"none.test": { A: NO_SUCH_NAME, AAAA: NO_SUCH_NAME },
};

let server: Socket;
let resolve: Resolve;

beforeEach(async () => {
	server = createSocket("udp4");
	server.on("message", (query, from) => {
		server.send(answer(query), from.port, from.address);
	});
	await new Promise<void>((done) => server.bind(0, "127.0.0.1", done));
	resolve = createDnsResolver([`127.0.0.1:${server.address().port}`]);
});
afterEach(() => new Promise<void>((done) => server.close(done)));

function sixteen(last: number): Buffer {
	const address = Buffer.alloc(16);
	address.writeUInt16BE(0x2001);
	address.writeUInt16BE(0xdb8, 2);
	address[15] = last;
	return address;
}

/** A reply (RFC 1035 section 4.1) to a query of one question. */
function answer(query: Buffer): Buffer {
	const labels: string[] = [];
	let at = 12;
	for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
		labels.push(query.toString("latin1", at + 1, at + 1 + length));
		at += 1 + length;
	}
	const type = query.readUInt16BE(at + 1);
	const entry = ZONE[labels.join(".").toLowerCase()];
	const found = type === TYPE_A ? entry?.A : entry?.AAAA;
	const records = Array.isArray(found) ? found : [];
	const header = Buffer.from(query.subarray(0, 12));
	header.writeUInt16BE(typeof found === "number" ? found : NO_ERROR, 2);
	header.writeUInt16BE(records.length, 6);
	header.writeUInt32BE(0, 8);
	return Buffer.concat([
		header,
		query.subarray(12, at + 5),
		...records.map((data) => record(type, data)),
	]);
}

/** A record for the name of the question. */
function record(type: number, data: Buffer): Buffer {
	const head = Buffer.alloc(12);
	head.writeUInt16BE(0xc00c);
	head.writeUInt16BE(type, 2);
	head.writeUInt16BE(1, 4);
	head.writeUInt16BE(data.length, 10);
	return Buffer.concat([head, data]);
}

describe("the name servers' answers", () => {
	it("of both families come together, IPv4 first", async () => {
		expect(await resolve("both.test")).toEqual(["192.0.2.1", "2001:db8::1"]);
	});

	it("of one family are enough", async () => {
		expect(new Set(await resolve("four.test"))).toEqual(
			new Set(["192.0.2.1", "192.0.2.2"]),
		);
		expect(await resolve("half.test")).toEqual(["2001:db8::2"]);
	});

	it("without any address are a failure", async () => {
		await expect(resolve("none.test")).rejects.toThrow();
	});
});
