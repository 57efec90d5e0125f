import { createServer, type Server, type Socket } from "node:net";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MAX_RESPONSE_BYTES, type Poster } from "../src/sending/poster.ts";
import {
	AMPLE_MS,
	type LocalPosterOptions,
	localPoster,
} from "./support/poster.ts";
import { type Receiver, startReceiver } from "./support/receiver.ts";

/** For attempts that are to run out of time, ms. */
const SHORT_MS = 400;
const MEGABYTE = 1_048_576;

let receiver: Receiver;
let poster: Poster;
/** Gives up soon. */
let hasty: Poster;
let closers: (() => Promise<void>)[];

beforeEach(async () => {
	receiver = await startReceiver();
	closers = [() => receiver.close()];
	poster = posterWith();
	hasty = posterWith({ timeoutMs: SHORT_MS });
});
afterEach(async () => {
	for (const close of closers) await close();
});

function posterWith(options: LocalPosterOptions = {}): Poster {
	const made = localPoster(options);
	closers.push(() => made.close());
	return made;
}

const post = (url = receiver.url, from = poster) =>
	from.post({ url, headers: ["x-a", "b"], body: "{}", mayWrite: () => true });

/** A TCP server that speaks as the test tells it. */
async function rawServer(onSocket: (socket: Socket) => void): Promise<string> {
	const sockets = new Set<Socket>();
	const server: Server = createServer((socket) => {
		sockets.add(socket);
		socket.on("error", () => {});
		onSocket(socket);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	closers.push(async () => {
		for (const socket of sockets) socket.destroy();
		await new Promise((resolve) => server.close(resolve));
	});
	const address = server.address();
	return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`;
}

describe("an attempt", () => {
	it("that is no longer this process's to send when it has connected writes nothing", async () => {
		let heard = "";
		const url = await rawServer((socket) => {
			socket.on("data", (chunk) => {
				heard += String(chunk);
			});
		});
		const request = { url, headers: ["x-a", "b"], body: "{}" };
		const mayWrite = () => false;
		expect(await poster.post({ ...request, mayWrite })).toBeUndefined();
		expect(heard).toBe("");
	});

	it("keeps its connections for the next ones", async () => {
		for (let i = 0; i < 50; i++)
			expect(await post()).toMatchObject({ status: 200 });
		expect(receiver.connections()).toBeLessThanOrEqual(2);
	});

	it("ends in time at a receiver that accepts and never responds", async () => {
		receiver.respond = () => {};
		const startedAt = performance.now();
		expect(await post(receiver.url, hasty)).toEqual({ error: "timeout" });
		expect(performance.now() - startedAt).toBeLessThan(AMPLE_MS / 2);
		await eventually(async () => expect(await receiver.open()).toBe(0));
	});

	it("ends in time at a receiver that drips its headers", async () => {
		const url = await rawServer((socket) => {
			socket.write("HTTP/1.1 200 OK\r\n");
			const timer = setInterval(() => socket.write("x-a: b\r\n"), 20);
			socket.on("close", () => clearInterval(timer));
		});
		expect(await post(url, hasty)).toEqual({ error: "timeout" });
	});

	it("ends in time at a receiver that drips its body", async () => {
		let closed = false;
		receiver.respond = (response) => {
			response.writeHead(200);
			const timer = setInterval(() => response.write("."), 20);
			response.on("close", () => {
				closed = true;
				clearInterval(timer);
			});
		};
		expect(await post(receiver.url, hasty)).toEqual({ error: "timeout" });
		await eventually(() => expect(closed).toBe(true));
	});

	it("reads 64 KiB of a gigabyte and destroys the connection", async () => {
		let sent = 0;
		let closed = false;
		receiver.respond = (response) => {
			response.writeHead(200);
			response.on("close", () => {
				closed = true;
			});
			const chunk = Buffer.alloc(MAX_RESPONSE_BYTES);
			const writeOn = (): void => {
				while (!closed && sent < 1_024 * MEGABYTE) {
					sent += chunk.length;
					if (!response.write(chunk))
						return void response.once("drain", writeOn);
				}
			};
			writeOn();
		};
		expect(await post()).toMatchObject({ status: 200 });
		await eventually(() => expect(closed).toBe(true));
		expect(sent).toBeLessThan(32 * MEGABYTE);
		expect(await receiver.open()).toBe(0);
	});

	it("keeps a connection whose response has exactly 64 KiB", async () => {
		receiver.respond = (response) =>
			response.writeHead(200).end(Buffer.alloc(MAX_RESPONSE_BYTES));
		for (let i = 0; i < 10; i++)
			expect(await post()).toMatchObject({ status: 200 });
		expect(receiver.connections()).toBeLessThanOrEqual(2);
	});

	it.each([301, 302, 303, 307, 308])(
		"does not follow a redirect (%i)",
		async (status) => {
			const canary = await startReceiver();
			closers.push(() => canary.close());
			receiver.respond = (response) =>
				response.writeHead(status, { location: canary.url }).end();
			expect(await post()).toMatchObject({ status });
			expect(canary.connections()).toBe(0);
		},
	);

	it("tells what the receiver asked for", async () => {
		receiver.respond = (response) =>
			response.writeHead(503, { "retry-after": "120" }).end();
		expect(await post()).toEqual({ status: 503, retryAfter: "120" });
	});

	it("fails where nobody listens", async () => {
		await receiver.close();
		expect(await post()).toEqual({ error: "connection_refused" });
	});

	it.each<[string, string, (socket: Socket) => void]>([
		[
			"the connection is lost before the response",
			"connection_lost",
			(socket) => socket.destroy(),
		],
		[
			"the connection is lost within the response",
			"connection_lost",
			(socket) => {
				socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf");
				setImmediate(() => socket.destroy());
			},
		],
		[
			"the response is not HTTP",
			"invalid_response",
			(socket) => socket.write("SSH-2.0-OpenSSH_9.9\r\n\r\n"),
		],
		[
			"the headers have no end",
			"invalid_response",
			(socket) =>
				socket.write(
					`HTTP/1.1 200 OK\r\n${"x-a: yyyyyyyyyy\r\n".repeat(8_000)}`,
				),
		],
	])("fails when %s", async (_case, error, respond) => {
		const url = await rawServer((socket) =>
			socket.on("data", () => respond(socket)),
		);
		expect(await post(url)).toEqual({ error });
	});

	it("fails when the name has no address", async () => {
		const lost = posterWith({ resolve: () => Promise.reject(new Error("no")) });
		expect(await post("http://nowhere.test/", lost)).toEqual({
			error: "dns_failed",
		});
	});

	it("writes nothing when the name server responds too late", async () => {
		const late = Promise.withResolvers<string[]>();
		const slow = posterWith({
			resolve: () => late.promise,
			timeoutMs: SHORT_MS,
		});
		const url = `http://slow.test:${receiver.port}/`;
		expect(await post(url, slow)).toEqual({ error: "timeout" });
		late.resolve(["127.0.0.1"]);
		await eventually(() => expect(receiver.connections()).toBe(1));
		await eventually(async () => expect(await receiver.open()).toBe(0));
		expect(receiver.received).toHaveLength(0);
	});
});
