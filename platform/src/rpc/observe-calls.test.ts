import { connect, constants } from "node:http2";
import { status } from "@grpc/grpc-js";
import { expect, onTestFinished, test } from "vitest";
import { DomainError } from "../runtime/domain-error.ts";
import { writeMetrics } from "../runtime/metrics.ts";
import { currentRequestId } from "../runtime/request-context.ts";
import { eventually } from "../testing/eventually.ts";
import {
	mintTestToken,
	SERVICE,
	startLoggedServer as start,
	valid,
} from "./testing/logged-server.ts";
import { ORGANIZATION } from "./testing/server.ts";

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
		authorization: `Bearer ${await mintTestToken()}`,
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

test("the caller's request id reaches the handler, the response and the log", async () => {
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
		const text = (await writeMetrics(metrics)).text;
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
	const token = await mintTestToken();
	await list();
	await list({ organizationId: "private-words" }).catch(() => undefined);
	await list(valid, { token: `${token}x` }).catch(() => undefined);
	await eventually(() => expect(lines).toHaveLength(3));
	const text = JSON.stringify(lines);
	expect(text).not.toContain(token.slice(0, 20));
	expect(text).not.toContain("private-words");
});
