import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
	Agent,
	request as http1Request,
	type IncomingMessage,
} from "node:http";
import { connect, type IncomingHttpHeaders } from "node:http2";
import { buffer } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import {
	mintTestToken,
	SERVICE,
	startLoggedServer,
	valid,
} from "../testing/logged-server.ts";

const LIST = `/${SERVICE}/ListEndpoints`;
/** Field 1 says that 127 bytes follow, and none does. */
const BROKEN = Buffer.from([0x0a, 0x7f]);
const envelope = (message: Buffer) =>
	Buffer.concat([Buffer.from([0, 0, 0, 0, message.length]), message]);

interface Reply {
	readonly headers: IncomingHttpHeaders;
	readonly trailers: IncomingHttpHeaders;
	readonly body: Buffer;
	readonly ended: boolean;
}

/** A connection of HTTP/2 that sends any headers. */
async function startSession() {
	const started = await startLoggedServer();
	const session = connect(`http://127.0.0.1:${started.server.port}`, {
		maxSendHeaderBlockLength: 1_048_576,
	});
	onTestFinished(() => session.destroy());
	const post = async (
		path: string,
		type: string,
		body: Buffer,
		auth?: string,
	): Promise<Reply> => {
		const stream = session.request({
			":method": "POST",
			":path": path,
			"content-type": type,
			authorization: `Bearer ${auth ?? (await mintTestToken())}`,
			te: "trailers",
		});
		let trailers: IncomingHttpHeaders = {};
		stream.on("trailers", (received) => {
			trailers = received;
		});
		stream.end(body);
		const [headers, flags] = (await once(stream, "response")) as [
			IncomingHttpHeaders,
			number,
		];
		const read = await buffer(stream);
		return { headers, trailers, body: read, ended: (flags & 1) === 1 };
	};
	return { ...started, session, post };
}

test.each(["application/grpc", "application/grpc+proto"])(
	"an unknown method of %s has a grpc-status, in headers that end the response",
	async (type) => {
		const { post } = await startSession();
		for (const path of [`/${SERVICE}/NoSuch`, "/nothing"]) {
			const reply = await post(path, type, envelope(Buffer.alloc(0)));
			expect(reply.headers).toMatchObject({
				":status": 200,
				"content-type": type,
				"grpc-status": "12",
			});
			expect(reply.ended).toBe(true);
		}
		const { headers } = await post("/nothing", "application/json", BROKEN);
		expect(headers[":status"]).toBe(404);
	},
);

test("broken protobuf is the caller's fault and makes no error line", async () => {
	const { post, lines } = await startSession();
	const grpc = await post(LIST, "application/grpc", envelope(BROKEN));
	expect({ ...grpc.headers, ...grpc.trailers }).toMatchObject({
		"grpc-status": "3",
	});
	const web = await post(LIST, "application/grpc-web+proto", envelope(BROKEN));
	expect(web.body.toString() + web.headers["grpc-status"]).toMatch(
		/grpc-status: 3|^3/,
	);
	const unary = await post(LIST, "application/proto", BROKEN);
	expect(unary.headers[":status"]).toBe(400);
	expect(JSON.parse(unary.body.toString())).toMatchObject({
		code: "invalid_argument",
	});
	const calls = lines.filter(({ method }) => method === LIST.slice(1));
	expect(calls.map(({ level, code }) => [level, code])).toEqual(
		Array(3).fill(["info", "invalid_argument"]),
	);
});

const ENDLESS = randomBytes(75_000).toString("base64url");

test("a token of as many kB as HTTP/2 reads is refused, and its connection serves the next call", async () => {
	const { post, session } = await startSession();
	const body = envelope(Buffer.alloc(0));
	const { headers, trailers } = await post(
		...([LIST, "application/grpc", body, ENDLESS.slice(0, 64_000)] as const),
	);
	expect({ ...headers, ...trailers }).toMatchObject({ "grpc-status": "16" });
	expect(session.destroyed || session.closed).toBe(false);
	const next = await post(LIST, "application/proto", Buffer.alloc(0));
	expect(next.headers[":status"]).toBe(400);
});

test("a token of 100 kB fails a stock gRPC client's call, and not its next one", async () => {
	const { list } = await startLoggedServer();
	await expect(list(undefined, { token: ENDLESS })).rejects.toThrow();
	expect((await list()).response).toMatchObject({ endpoints: [{}] });
});

test("a token of 100 kB is refused, and its connection of HTTP/1.1 serves the next call", async () => {
	const { server } = await startLoggedServer();
	const agent = new Agent({ keepAlive: true, maxSockets: 1 });
	onTestFinished(() => agent.destroy());
	const post = async (auth: string) => {
		const request = http1Request({
			port: server.port,
			host: "127.0.0.1",
			method: "POST",
			path: LIST,
			headers: {
				"content-type": "application/json",
				authorization: `Bearer ${auth}`,
			},
			agent,
		});
		request.end("{}");
		const [response] = (await once(request, "response")) as [IncomingMessage];
		await buffer(response);
		const { reusedSocket } = request;
		return { status: response.statusCode, reusedSocket };
	};
	expect((await post(ENDLESS)).status).toBe(401);
	expect(await post(await mintTestToken())).toEqual({
		status: 400,
		reusedSocket: true,
	});
});

test("a server that closes lets a call over HTTP/1.1 end, and waits for no idle connection", async () => {
	const begun = Promise.withResolvers<void>();
	const finish = Promise.withResolvers<void>();
	const { server } = await startLoggedServer({
		webhooks: {
			listEndpoints: async () => {
				begun.resolve();
				await finish.promise;
				return { endpoints: [] };
			},
		},
	});
	const call = fetch(`http://127.0.0.1:${server.port}${LIST}`, {
		method: "POST",
		headers: {
			"content-type": "application/json",
			authorization: `Bearer ${await mintTestToken()}`,
		},
		body: JSON.stringify({
			organizationId: "018f0000-0000-7000-8000-000000000001",
			page: { limit: 1 },
		}),
	});
	await begun.promise;
	const startedAt = performance.now();
	const closed = server.close();
	finish.resolve();
	expect((await call).status).toBe(200);
	await closed;
	expect(performance.now() - startedAt).toBeLessThan(4_000);
});

test("a kept-alive connection of HTTP/1.1 gets one more response from a server that closes, which says so", async () => {
	const { server } = await startLoggedServer();
	const agent = new Agent({ keepAlive: true, maxSockets: 1 });
	onTestFinished(() => agent.destroy());
	const post = async () => {
		const call = http1Request({
			port: server.port,
			host: "127.0.0.1",
			method: "POST",
			path: LIST,
			headers: {
				"content-type": "application/json",
				authorization: `Bearer ${await mintTestToken()}`,
			},
			agent,
		});
		call.end(JSON.stringify(valid));
		const [response] = (await once(call, "response")) as [IncomingMessage];
		await buffer(response);
		const { connection } = response.headers;
		return [response.statusCode, connection, call.reusedSocket];
	};
	expect(await post()).toEqual([200, "keep-alive", false]);
	const closed = server.close();
	expect(await post()).toEqual([200, "close", true]);
	await closed;
});
