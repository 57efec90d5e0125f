import { once } from "node:events";
import { connect } from "node:http2";
import { WebhooksService } from "@airtower/proto/webhooks/v1/webhooks";
import { Code, createClient } from "@connectrpc/connect";
import {
	createConnectTransport,
	createGrpcTransport,
	createGrpcWebTransport,
} from "@connectrpc/connect-node";
import { status } from "@grpc/grpc-js";
import { expect, onTestFinished, test } from "vitest";
import {
	mintTestToken,
	SERVICE,
	startLoggedServer as start,
	valid,
} from "./testing/logged-server.ts";
import { ORGANIZATION, startTestServer } from "./testing/server.ts";

test.each([
	["gRPC", "2", createGrpcTransport],
	["gRPC-Web", "2", createGrpcWebTransport],
	["Connect", "2", createConnectTransport],
	["gRPC-Web", "1.1", createGrpcWebTransport],
	["Connect", "1.1", createConnectTransport],
] as const)(
	"the one port speaks %s over HTTP/%s",
	async (_name, httpVersion, createTransport) => {
		const { server } = await start();
		const transport = createTransport({
			baseUrl: `http://127.0.0.1:${server.port}`,
			httpVersion,
		} as never);
		const { listEndpoints } = createClient(WebhooksService, transport);
		const headers = { authorization: `Bearer ${await mintTestToken()}` };
		expect((await listEndpoints(valid, { headers })).endpoints).toHaveLength(1);
		await expect(listEndpoints({}, { headers })).rejects.toMatchObject({
			code: Code.InvalidArgument,
			rawMessage: expect.stringMatching(/^Field organization_id: /),
		});
		await expect(listEndpoints(valid)).rejects.toMatchObject({
			code: Code.Unauthenticated,
		});
	},
);

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
				{ token: await mintTestToken() },
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

test("a port that is taken is told by its system error", async () => {
	const { server } = await start();
	await expect(startTestServer({ port: server.port })).rejects.toMatchObject({
		code: "EADDRINUSE",
	});
});
