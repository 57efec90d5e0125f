import { createSocket, type Socket } from "node:dgram";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { pause } from "../runtime/waiting.ts";
import { createDnsResolver, type Resolve } from "./resolver.ts";

/** What an attempt takes at most, ms. */
const ATTEMPT_MS = 10_000;
const TYPE_A = 1;
const NO_ERROR = 0x8180;
const NO_SUCH_NAME = 0x8183;
const SERVER_FAILURE = 0x8182;

/** Answer records (type and data), a failure, or no response. */
type Entry = Buffer[] | number | "silent";
/** Records by name and type; records come after the delay. */
type Zone = Record<string, { A: Entry; AAAA: Entry; delayMs?: number }>;

const ZONE: Zone = {
	"both.test": { A: [Buffer.from([192, 0, 2, 1])], AAAA: [sixteen(1)] },
	"four.test": {
		A: [Buffer.from([192, 0, 2, 1]), Buffer.from([192, 0, 2, 2])],
		AAAA: [],
	},
	"half.test": { A: SERVER_FAILURE, AAAA: [sixteen(2)] },
	"silent6.test": { A: [Buffer.from([192, 0, 2, 1])], AAAA: "silent" },
	"silent4.test": { A: "silent", AAAA: [sixteen(3)] },
	"slow.test": { A: NO_SUCH_NAME, AAAA: [sixteen(4)], delayMs: 1_000 },
	"none.test": { A: NO_SUCH_NAME, AAAA: NO_SUCH_NAME },
};

let servers: Socket[];
let resolve: Resolve;

beforeEach(async () => {
	servers = await Promise.all([startServer(), startServer(), startServer()]);
	resolve = createDnsResolver(
		servers.map((server) => `127.0.0.1:${server.address().port}`),
	);
});
afterEach(() => {
	for (const server of servers) server.close();
});

async function startServer(): Promise<Socket> {
	const server = createSocket("udp4");
	const closed = new AbortController();
	server.on("close", () => closed.abort());
	server.on("message", async (query, { port, address }) => {
		const { type, entry, question } = readQuery(query);
		const found = (type === TYPE_A ? entry?.A : entry?.AAAA) ?? [];
		if (found === "silent") return;
		if (Array.isArray(found)) await pause(entry?.delayMs ?? 0, closed.signal);
		if (!closed.signal.aborted)
			server.send(replyTo(question, type, found), port, address);
	});
	await new Promise<void>((done) => server.bind(0, "127.0.0.1", done));
	return server;
}

function sixteen(last: number): Buffer {
	const address = Buffer.alloc(16);
	address.writeUInt16BE(0x2001);
	address.writeUInt16BE(0xdb8, 2);
	address[15] = last;
	return address;
}

/** A query of one question (RFC 1035 section 4.1), and what the zone has for it. */
function readQuery(query: Buffer) {
	const labels: string[] = [];
	let at = 12;
	for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
		labels.push(query.toString("latin1", at + 1, at + 1 + length));
		at += 1 + length;
	}
	return {
		type: query.readUInt16BE(at + 1),
		entry: ZONE[labels.join(".").toLowerCase()],
		question: query.subarray(0, at + 5),
	};
}

/** Repeats the header and the question, then the records. */
function replyTo(
	question: Buffer,
	type: number,
	found: Buffer[] | number,
): Buffer {
	const records = Array.isArray(found) ? found : [];
	const header = Buffer.from(question.subarray(0, 12));
	header.writeUInt16BE(typeof found === "number" ? found : NO_ERROR, 2);
	header.writeUInt16BE(records.length, 6);
	header.writeUInt32BE(0, 8);
	return Buffer.concat([
		header,
		question.subarray(12),
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

describe("the name servers' addresses", () => {
	it("of both families come together, IPv4 first", async () => {
		expect(await resolve("both.test")).toEqual(["192.0.2.1", "2001:db8::1"]);
	});

	it("of one family are enough", async () => {
		expect(new Set(await resolve("four.test"))).toEqual(
			new Set(["192.0.2.1", "192.0.2.2"]),
		);
		expect(await resolve("half.test")).toEqual(["2001:db8::2"]);
	});

	it.each([
		["AAAA", "silent6.test", "192.0.2.1"],
		["A", "silent4.test", "2001:db8::3"],
	])(
		"that never come for %s leave an attempt time to use the other's",
		async (_type, hostname, address) => {
			const startedAt = performance.now();
			expect(await resolve(hostname)).toEqual([address]);
			expect(performance.now() - startedAt).toBeLessThan(ATTEMPT_MS);
		},
	);

	it("are waited for while there is no address", async () => {
		expect(await resolve("slow.test")).toEqual(["2001:db8::4"]);
	});

	it("without any address are a failure", async () => {
		await expect(resolve("none.test")).rejects.toThrow();
	});
});
