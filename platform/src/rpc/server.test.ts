import { once } from "node:events";
import { connect, constants } from "node:http2";
import { WebhooksService } from "@airtower/proto/webhooks/v1/webhooks";
import { Code, createClient } from "@connectrpc/connect";
import {
	createConnectTransport,
	createGrpcTransport,
	createGrpcWebTransport,
} from "@connectrpc/connect-node";
import { status } from "@grpc/grpc-js";
import { expect, onTestFinished, test } from "vitest";
import { DomainError } from "../runtime/domain-error.ts";
import { createLogger } from "../runtime/log.ts";
import { createMetrics } from "../runtime/metrics.ts";
import { currentRequestId } from "../runtime/request-context.ts";
import { eventually } from "../testing/eventually.ts";
import { testKeyRing } from "../testing/keys.ts";
import { mintToken } from "./caller-token.ts";
import {
	AUDIENCE,
	ORGANIZATION,
	startTestServer,
	type TestServerOptions,
} from "./testing/server.ts";
import {
	type Message,
	type StockCallOptions,
	stockGrpc,
} from "./testing/stock-grpc.ts";

const SERVICE = "airtower.webhooks.v1.WebhooksService";
const valid = { organizationId: ORGANIZATION, page: { limit: 1 } };
const token = await mintToken({
	ring: testKeyRing,
	issuer: "gateway",
	audience: AUDIENCE,
	organization: "*",
	role: "service",
	lifetimeSeconds: 600,
});

async function start(options: TestServerOptions = {}) {
	const lines: Message[] = [];
	const metrics = createMetrics("test");
	const server = await startTestServer({
		log: createLogger({
			service: "test",
			level: "info",
			destination: { write: (line) => lines.push(JSON.parse(line)) },
		}),
		metrics,
		...options,
	});
	const grpc = stockGrpc(server.port);
	onTestFinished(async () => {
		grpc.close();
		await server.close();
	});
	const list = (
		request: Message = valid,
		call: Partial<StockCallOptions> = {},
	) => grpc.unary(`${SERVICE}/ListEndpoints`, request, { token, ...call });
	return { server, grpc, list, lines, metrics };
}

test.each([
	["gRPC", createGrpcTransport],
	["gRPC-Web", createGrpcWebTransport],
	["Connect", createConnectTransport],
] as const)("the one port speaks %s", async (_name, createTransport) => {
	const { server } = await start();
	const transport = createTransport({
		baseUrl: `http://127.0.0.1:${server.port}`,
		httpVersion: "2",
	});
	const { listEndpoints } = createClient(WebhooksService, transport);
	const headers = { authorization: `Bearer ${token}` };
	expect((await listEndpoints(valid, { headers })).endpoints).toHaveLength(1);
	await expect(listEndpoints({}, { headers })).rejects.toMatchObject({
		code: Code.InvalidArgument,
		rawMessage: expect.stringMatching(/^Field organization_id: /),
	});
	await expect(listEndpoints(valid)).rejects.toMatchObject({
		code: Code.Unauthenticated,
	});
});

test("an invalid request is refused with the name of the field", async () => {
	const { list } = await start();
	await expect(
		list({ organizationId: ORGANIZATION, page: { limit: 500 } }),
	).rejects.toSatisfy((error) => {
		expect(error).toMatchObject({ code: status.INVALID_ARGUMENT });
		expect(error.details).toMatch(/^Field page\.limit: /);
		expect(error.details).not.toContain("%");
		const detail = error.metadata.get("grpc-status-details-bin").toString();
		expect(detail).toContain("airtower.common.v1.ErrorDetail");
		expect(detail).toContain("validation_failed");
		return true;
	});
});

test("a message over the limit is refused", async () => {
	const { list } = await start();
	await expect(
		list({ organizationId: "x".repeat(9 * 1_048_576) }),
	).rejects.toMatchObject({ code: status.RESOURCE_EXHAUSTED });
});

test("a large request without a token is refused before its body is read", async () => {
	const { list, grpc } = await start();
	const request = { organizationId: "x".repeat(7 * 1_048_576) };
	await expect(
		grpc.unary(`${SERVICE}/ListEndpoints`, request),
	).rejects.toMatchObject({ code: status.UNAUTHENTICATED });
	await list();
});

test.each([
	[":authority", "x:99999"],
	[":authority", "a:b:c"],
	[":authority", "["],
	["host", "x:99999"],
])(
	"a call with the %s %j is refused, and the next one is served",
	async (name, host) => {
		const { server, list } = await start();
		const session = connect(`http://127.0.0.1:${server.port}`);
		onTestFinished(() => session.destroy());
		const stream = session.request({
			":method": "POST",
			":path": `/${SERVICE}/ListEndpoints`,
			[name]: host,
		});
		stream.end();
		const [headers] = await once(stream, "response");
		expect(headers).toMatchObject({ ":status": 400 });
		await once(stream.resume(), "close");
		await list();
	},
);

test("a method that the service does not have is unimplemented", async () => {
	const { grpc } = await start();
	for (const method of [`${SERVICE}/CreateEndpoint`, `${SERVICE}/NoSuch`])
		await expect(
			grpc.unary(
				method,
				{
					organizationId: ORGANIZATION,
					url: "https://example.org",
					subscribedEvents: ["message.failed"],
				},
				{ token },
			),
		).rejects.toMatchObject({ code: status.UNIMPLEMENTED });
});

test("an unknown error is told as internal error and logged with its cause", async () => {
	const { list, lines } = await start({
		webhooks: {
			listEndpoints: () => {
				throw new Error("column secret_stuff does not exist");
			},
		},
	});
	await expect(list()).rejects.toMatchObject({
		code: status.INTERNAL,
		details: "internal error",
	});
	expect(lines).toContainEqual(
		expect.objectContaining({
			level: "error",
			code: "internal",
			method: `${SERVICE}/ListEndpoints`,
			err: expect.objectContaining({
				message: "column secret_stuff does not exist",
			}),
		}),
	);
});

test("a call ends at its caller's deadline and tells the handler", async () => {
	const aborted = Promise.withResolvers<void>();
	const { list, lines } = await start({
		webhooks: {
			listEndpoints: (_request, { signal }) => {
				signal.addEventListener("abort", () => aborted.resolve());
				return new Promise(() => undefined);
			},
		},
	});
	await expect(list(valid, { deadlineMs: 100 })).rejects.toMatchObject({
		code: status.DEADLINE_EXCEEDED,
	});
	await aborted.promise;
	await eventually(() => expect(lines).toHaveLength(1));
});

test("a call whose stream is reset is one that was given up, whatever the reset's code", async () => {
	const entered = Promise.withResolvers<void>();
	const { server, lines } = await start({
		webhooks: {
			listEndpoints: () => {
				entered.resolve();
				return new Promise(() => undefined);
			},
		},
	});
	const session = connect(`http://127.0.0.1:${server.port}`);
	onTestFinished(() => session.destroy());
	const stream = session.request({
		":method": "POST",
		":path": `/${SERVICE}/ListEndpoints`,
		"content-type": "application/json",
		authorization: `Bearer ${token}`,
	});
	stream.on("error", () => undefined);
	stream.end(JSON.stringify(valid));
	await entered.promise;
	stream.close(constants.NGHTTP2_INTERNAL_ERROR);
	await eventually(() =>
		expect(lines).toMatchObject([
			{ level: "info", code: "canceled", refusal: "the caller went away" },
		]),
	);
});

test("a call without a deadline ends at the server's own", async () => {
	const { list } = await start({
		limits: { maxCallMs: 50 },
		webhooks: { listEndpoints: () => new Promise(() => undefined) },
	});
	await expect(list()).rejects.toMatchObject({
		code: status.DEADLINE_EXCEEDED,
	});
});

test("calls over the concurrency limit are refused at once, and health still answers", async () => {
	const release = Promise.withResolvers<void>();
	let running = 0;
	const { list, grpc } = await start({
		limits: { maxConcurrentCalls: 2 },
		webhooks: {
			listEndpoints: async () => {
				running++;
				await release.promise;
				return {};
			},
		},
	});
	const first = [list(), list()];
	await eventually(() => expect(running).toBe(2));
	await expect(list()).rejects.toMatchObject({
		code: status.RESOURCE_EXHAUSTED,
	});
	const health = await grpc.unary("grpc.health.v1.Health/Check", {});
	expect(health.response).toEqual({ status: "SERVING" });
	release.resolve();
	await Promise.all(first);
	await list();
});

test("a handler that runs on after its deadline keeps its slot", async () => {
	const release = Promise.withResolvers<void>();
	const blocked = [true];
	const { list } = await start({
		limits: { maxConcurrentCalls: 1, maxCallMs: 50 },
		webhooks: {
			listEndpoints: async () => {
				if (blocked.pop()) await release.promise;
				return {};
			},
		},
	});
	await expect(list()).rejects.toMatchObject({
		code: status.DEADLINE_EXCEEDED,
	});
	await expect(list()).rejects.toMatchObject({
		code: status.RESOURCE_EXHAUSTED,
	});
	release.resolve();
	await eventually(() => list());
});

test("the caller's request id reaches the handler, the answer and the log", async () => {
	let seen: string | undefined;
	const { list, lines } = await start({
		webhooks: {
			listEndpoints: async () => {
				await Promise.resolve();
				seen = currentRequestId();
				return {};
			},
		},
	});
	const { headers } = await list(valid, {
		headers: { "x-request-id": "req-42" },
	});
	expect(seen).toBe("req-42");
	expect(headers.get("x-request-id")).toEqual(["req-42"]);
	await eventually(() =>
		expect(lines).toEqual([
			expect.objectContaining({
				requestId: "req-42",
				method: `${SERVICE}/ListEndpoints`,
				code: "ok",
				caller: "gateway",
				protocol: "grpc",
			}),
		]),
	);
});

test("a malformed request id is replaced, and a refused call has one too", async () => {
	const { grpc, list, lines } = await start();
	const { headers } = await list(valid, {
		headers: { "x-request-id": "not ok" },
	});
	expect(headers.get("x-request-id")[0]).toMatch(/^[0-9a-f-]{36}$/);
	await expect(
		grpc.unary(`${SERVICE}/ListEndpoints`, valid, {
			headers: { "x-request-id": "req-43" },
		}),
	).rejects.toMatchObject({ code: status.UNAUTHENTICATED });
	await eventually(() =>
		expect(lines).toContainEqual(
			expect.objectContaining({ requestId: "req-43", code: "unauthenticated" }),
		),
	);
});

test("every call is counted by method and code, and none stays in flight", async () => {
	const { list, grpc, metrics } = await start({
		webhooks: {
			listEndpoints: ({ page }) => {
				if (page?.limit === 2)
					throw new DomainError({
						kind: "conflict",
						reason: "test",
						message: "Test.",
					});
				return {};
			},
		},
	});
	const twice = { organizationId: ORGANIZATION, page: { limit: 2 } };
	await list();
	await list(twice).catch(() => undefined);
	await list({}).catch(() => undefined);
	await grpc.unary(`${SERVICE}/ListEndpoints`, valid).catch(() => undefined);
	await eventually(async () => {
		const text = await metrics.registry.metrics();
		const counted = (code: string) =>
			`rpc_server_calls_total{method="${SERVICE}/ListEndpoints",code="${code}",service="test"} 1`;
		for (const code of [
			"ok",
			"failed_precondition",
			"invalid_argument",
			"unauthenticated",
		])
			expect(text).toContain(counted(code));
		expect(text).toContain('rpc_server_calls_in_flight{service="test"} 0');
	});
});

test("neither tokens nor messages are logged", async () => {
	const { list, lines } = await start();
	await list();
	await list({ organizationId: "private-words" }).catch(() => undefined);
	await list(valid, { token: `${token}x` }).catch(() => undefined);
	await eventually(() => expect(lines).toHaveLength(3));
	const text = JSON.stringify(lines);
	expect(text).not.toContain(token.slice(0, 20));
	expect(text).not.toContain("private-words");
});

test("a closing server lets running calls finish and takes no new ones", async () => {
	const release = Promise.withResolvers<void>();
	const entered = Promise.withResolvers<void>();
	const { server, list } = await start({
		webhooks: {
			listEndpoints: async () => {
				entered.resolve();
				await release.promise;
				return { endpoints: [{ id: "done" }] };
			},
		},
	});
	const running = list();
	await entered.promise;
	const closed = server.close();
	await expect(list(valid, { deadlineMs: 300 })).rejects.toMatchObject({
		code: expect.toBeOneOf([status.UNAVAILABLE, status.DEADLINE_EXCEEDED]),
	});
	release.resolve();
	expect((await running).response).toMatchObject({
		endpoints: [{ id: "done" }],
	});
	await closed;
});

test("a call that outlasts the grace of a closing server is cut", async () => {
	const entered = Promise.withResolvers<void>();
	const { server, list } = await start({
		limits: { closeGraceMs: 50 },
		webhooks: {
			listEndpoints: () => {
				entered.resolve();
				return new Promise(() => undefined);
			},
		},
	});
	const running = expect(list()).rejects.toMatchObject({
		code: expect.toBeOneOf([status.UNAVAILABLE, status.CANCELLED]),
	});
	await entered.promise;
	await server.close();
	await running;
});

test("a port that is taken is told by its system error", async () => {
	const { server } = await start();
	await expect(startTestServer({ port: server.port })).rejects.toMatchObject({
		code: "EADDRINUSE",
	});
});
