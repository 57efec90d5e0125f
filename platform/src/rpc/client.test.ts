import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { WebhooksService } from "@airtower/proto/webhooks/v1/webhooks";
import { type Client, Code, ConnectError } from "@connectrpc/connect";
import { expect, onTestFinished, test } from "vitest";
import { DomainError, type ErrorKind } from "../runtime/domain-error.ts";
import { parseKeyRing } from "../runtime/key-ring.ts";
import { freePort } from "../runtime/ports.ts";
import { currentRequestId, withRequestId } from "../runtime/request-context.ts";
import { eventually } from "../testing/eventually.ts";
import { keyRingText, testKeyRing } from "../testing/keys.ts";
import { startWire } from "../testing/wire.ts";
import { createTokenSigner } from "./caller-token.ts";
import {
	createRpcClient,
	domainErrorFrom,
	type RpcClientOptions,
} from "./client.ts";
import {
	AUDIENCE,
	ORGANIZATION,
	startTestServer,
	type TestServerOptions,
	type WebhooksHandlers,
} from "./testing/server.ts";

type Webhooks = typeof WebhooksService;

const signer = createTokenSigner({ ring: testKeyRing, issuer: "gateway" });
const request = { organizationId: ORGANIZATION, page: { limit: 1 } };
const endpoint = {
	organizationId: ORGANIZATION,
	url: "https://example.org/hook",
	subscribedEvents: ["message.delivered"],
};

function clientOf(
	port: number,
	options: Partial<RpcClientOptions<Webhooks>> = {},
): Client<Webhooks> {
	return createRpcClient({
		service: WebhooksService,
		baseUrl: `http://127.0.0.1:${port}`,
		signer,
		audience: AUDIENCE,
		...options,
	});
}

async function start(options: TestServerOptions = {}) {
	const server = await startTestServer(options);
	onTestFinished(() => server.close());
	return server;
}

async function clientOfHandlers(webhooks: WebhooksHandlers) {
	return clientOf((await start({ webhooks })).port);
}

function noop(): void {}

/** What a failed call is to its caller. */
async function failureOf(call: Promise<unknown>): Promise<unknown> {
	const error = await call.then(
		() => expect.fail("the call succeeded"),
		(error: unknown) => error,
	);
	return domainErrorFrom(error) ?? error;
}

const kinds: ErrorKind[] = [
	"invalid",
	"unauthenticated",
	"forbidden",
	"not_found",
	"conflict",
	"exhausted",
	"unavailable",
];
test.each(kinds)(
	"a domain error of kind %s arrives as it was thrown",
	async (kind) => {
		const client = await clientOfHandlers({
			listEndpoints: () => {
				throw new DomainError({
					kind,
					reason: "some_reason",
					message: "Nom, prénom: « été » – 100 %.",
					field: "page.limit",
				});
			},
		});
		const error = await failureOf(client.listEndpoints(request));
		expect(error).toBeInstanceOf(DomainError);
		expect(error).toMatchObject({
			kind,
			reason: "some_reason",
			message: "Nom, prénom: « été » – 100 %.",
			field: "page.limit",
		});
	},
);

test("a broken rule of the contract arrives as validation_failed with its field", async () => {
	const client = await clientOfHandlers({});
	const error = await failureOf(client.listEndpoints({}));
	expect(error).toMatchObject({
		kind: "invalid",
		reason: "validation_failed",
		field: "organization_id",
	});
});

test("an internal error is no domain error and tells nothing", async () => {
	const client = await clientOfHandlers({
		listEndpoints: () => {
			throw new Error("the password is hunter2");
		},
	});
	const error = await failureOf(client.listEndpoints(request));
	expect(error).toBeInstanceOf(ConnectError);
	expect(error).toMatchObject({
		code: Code.Internal,
		rawMessage: "internal error",
	});
});

test("a refused caller token is our own fault, not a domain error of the client", async () => {
	const { port } = await start();
	const error = await failureOf(
		clientOf(port, { audience: "accounts" }).listEndpoints(request),
	);
	expect(error).toMatchObject({ code: Code.Unauthenticated });
});

test("an error of a service behind a service passes through; its internal error does not", async () => {
	const thrown = [
		new Error("inside"),
		new DomainError({ kind: "conflict", reason: "taken", message: "Taken." }),
	];
	const back = await clientOfHandlers({
		listEndpoints: () => {
			throw thrown.pop();
		},
	});
	const front = await clientOfHandlers({
		listEndpoints: () => back.listEndpoints(request),
	});
	expect(await failureOf(front.listEndpoints(request))).toMatchObject({
		kind: "conflict",
		reason: "taken",
	});
	expect(await failureOf(front.listEndpoints(request))).toMatchObject({
		code: Code.Internal,
	});
});

test("the request id travels through every service", async () => {
	const seen: (string | undefined)[] = [];
	const back = await clientOfHandlers({
		listEndpoints: () => {
			seen.push(currentRequestId());
			return {};
		},
	});
	const front = await clientOfHandlers({
		listEndpoints: async () => {
			seen.push(currentRequestId());
			return back.listEndpoints(request);
		},
	});
	await withRequestId("req-7", () => front.listEndpoints(request));
	expect(seen).toEqual(["req-7", "req-7"]);
});

test("a call that takes too long is unavailable, and its handler is told", async () => {
	const aborted = Promise.withResolvers<void>();
	const { port } = await start({
		webhooks: {
			listEndpoints: (_request, { signal }) => {
				signal.addEventListener("abort", () => aborted.resolve());
				return new Promise(() => undefined);
			},
		},
	});
	const client = clientOf(port, { timeoutMs: 100 });
	expect(await failureOf(client.listEndpoints(request))).toMatchObject({
		kind: "unavailable",
		reason: "service_unavailable",
	});
	await aborted.promise;
});

test("a service that is not there is unavailable long before the call's deadline", async () => {
	const client = clientOf(await freePort(), { timeoutMs: 60_000 });
	const startedAt = performance.now();
	expect(await failureOf(client.listEndpoints(request))).toMatchObject({
		kind: "unavailable",
		reason: "service_unavailable",
	});
	expect(performance.now() - startedAt).toBeLessThan(30_000);
});

test("a service that is overloaded is unavailable", async () => {
	const { port } = await start({ limits: { maxConcurrentCalls: 0 } });
	const error = await failureOf(clientOf(port).listEndpoints(request));
	expect(error).toMatchObject({ kind: "unavailable" });
});

test("a call that reached its handler is never repeated", async () => {
	let calls = 0;
	const server = await start({
		limits: { closeGraceMs: 0 },
		webhooks: {
			listEndpoints: () => {
				calls++;
				void server.close();
				return new Promise(() => undefined);
			},
		},
	});
	const client = clientOf(server.port);
	expect(await failureOf(client.listEndpoints(request))).toMatchObject({
		kind: "unavailable",
	});
	expect(calls).toBe(1);
});

test("a call made before its server listens succeeds when it comes up in time", async () => {
	const port = await freePort();
	const answer = clientOf(port).listEndpoints(request);
	await start({ port });
	expect((await answer).endpoints).toHaveLength(1);
});

test("no call fails while one server closes and another takes its port", async () => {
	let server = await startTestServer();
	onTestFinished(() => server.close());
	const { port } = server;
	const client = clientOf(port);
	const stop = new AbortController();
	let calls = 0;
	const callers = Array.from({ length: 8 }, async () => {
		while (!stop.signal.aborted) {
			await client.listEndpoints(request);
			calls++;
		}
	});
	for (let round = 0; round < 5; round++) {
		const target = calls + 50;
		await eventually(() => expect(calls).toBeGreaterThan(target));
		await server.close();
		server = await startTestServer({ port });
	}
	stop.abort();
	await Promise.all(callers);
});

test("after kill -9 of the server, calls in flight are unavailable and later ones succeed once it is back", async () => {
	const ringText = keyRingText();
	const ring = parseKeyRing(ringText);
	let server = await startProcess(0, ringText);
	onTestFinished(() => void server.process.kill("SIGKILL"));
	const client = clientOf(server.port, {
		signer: createTokenSigner({ ring, issuer: "gateway" }),
	});
	await client.listEndpoints(request);

	for (let round = 0; round < 2; round++) {
		const inFlight = failureOf(client.createEndpoint(endpoint));
		await client.listEndpoints(request);
		server.process.kill("SIGKILL");
		await once(server.process, "exit");
		expect(await inFlight).toMatchObject({ kind: "unavailable" });
		expect(await failureOf(client.listEndpoints(request))).toMatchObject({
			kind: "unavailable",
		});
		server = await startProcess(server.port, ringText);
		await client.listEndpoints(request);
	}
});

test("a server that stood still does not begin with calls that were given up meanwhile", async () => {
	const ringText = keyRingText();
	const server = await startProcess(0, ringText);
	onTestFinished(() => void server.process.kill("SIGKILL"));
	const client = clientOf(server.port, {
		signer: createTokenSigner({
			ring: parseKeyRing(ringText),
			issuer: "gateway",
		}),
	});
	await client.listEndpoints(request);
	server.process.kill("SIGSTOP");
	const create = (name: string, timeoutMs: number) => {
		const url = `https://example.org/${name}`;
		const created = client.createEndpoint({ ...endpoint, url }, { timeoutMs });
		return failureOf(created);
	};
	await create("given-up", 100);
	// When this one is given up, the word of the one before has long been written.
	await create("given-up-last", 100);
	const waiting = create("waiting", 5_000);
	server.process.kill("SIGCONT");
	await eventually(async () => {
		const { endpoints } = await client.listEndpoints(request);
		const begun = endpoints.map(({ url }) => url.split("/").at(-1));
		expect(begun).toContain("waiting");
		expect(begun).not.toContain("given-up");
	});
	server.process.kill("SIGKILL");
	await waiting;
});

test("a connection that went silent is replaced", async () => {
	const { port } = await start();
	const wire = await startWire(port);
	const client = clientOf(wire.port, {
		timeoutMs: 1_000,
		keepAlive: { pingIntervalMs: 50, pingTimeoutMs: 50 },
	});
	await eventually(() => client.listEndpoints(request));
	wire.muteOpenConnections();
	await eventually(() => client.listEndpoints(request));
});

test("calls that go on while a connection falls silent do not end the process", async () => {
	const { port } = await start();
	const wire = await startWire(port);
	const keepAlive = { pingIntervalMs: 20, pingTimeoutMs: 20 };
	const client = clientOf(wire.port, { keepAlive });
	const calls: Promise<unknown>[] = [];
	for (let round = 0; round < 20; round++) {
		await eventually(() => client.listEndpoints(request));
		wire.muteOpenConnections();
		for (let at = 0; at < 50; at++) {
			calls.push(client.listEndpoints(request, { timeoutMs: 10 }).catch(noop));
			await delay(1);
		}
	}
	await Promise.all(calls);
});

async function startProcess(port: number, ring: string) {
	const program = fileURLToPath(
		new URL("./testing/server-process.ts", import.meta.url),
	);
	const child = fork(program, [String(port), ring], { execArgv: [] });
	const [started] = (await once(child, "message")) as [{ port: number }];
	return { process: child, port: started.port };
}
