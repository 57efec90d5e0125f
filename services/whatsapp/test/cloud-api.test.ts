import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { makeCertificate } from "@airtower/platform/rpc/testing/certificate";
import { freePort } from "@airtower/platform/runtime/ports";
import { silentLog } from "@airtower/platform/testing/log";
import { afterEach, describe, expect, it } from "vitest";
import { createCloudApi } from "../src/provider/cloud-api.ts";

let cleanup: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const step of cleanup) await step();
	cleanup = [];
});

const message = {
	messageId: crypto.randomUUID(),
	to: "+33612345678",
	providerPhoneNumberId: "pn",
	accessToken: "token",
	content: { kind: "text", body: "Hi" },
} as const;

async function serve(listener: RequestListener): Promise<string> {
	const server = createServer(listener);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	cleanup.push(async () => {
		server.closeAllConnections();
		server.close();
	});
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const mayWrite = () => true;

function clientOf(baseUrl: string, timeoutMs = 2_000) {
	const api = createCloudApi({
		baseUrl,
		version: "v23.0",
		timeoutMs,
		log: silentLog,
	});
	cleanup.push(() => api.close());
	return api;
}

describe("a submit", () => {
	it("without a response in time is unknown", async () => {
		let requests = 0;
		const url = await serve(() => {
			requests++;
		});
		expect(await clientOf(url).submit(message, mayWrite)).toMatchObject({
			kind: "unknown",
		});
		expect(requests).toBe(1);
	});

	it("whose connection ends after the write is unknown, and is not repeated", async () => {
		let requests = 0;
		const url = await serve((request) => {
			requests++;
			request.socket.destroy();
		});
		expect(await clientOf(url).submit(message, mayWrite)).toMatchObject({
			kind: "unknown",
		});
		expect(requests).toBe(1);
	});

	it("whose response drips or never ends is unknown", async () => {
		const drip = await serve((_, response) => {
			response.writeHead(200).write("{");
		});
		expect(await clientOf(drip).submit(message, mayWrite)).toMatchObject({
			kind: "unknown",
		});
		const flood = await serve((_, response) => {
			response.end("x".repeat(1_000_000));
		});
		expect(await clientOf(flood).submit(message, mayWrite)).toMatchObject({
			kind: "unknown",
		});
	});

	it("whose connection cannot be made safe was never sent", async () => {
		const url = await serve(() => {});
		expect(
			await clientOf(url.replace("http:", "https:")).submit(message, mayWrite),
		).toMatchObject({ kind: "unsent" });
	});

	it("with a token that no header can carry was never sent", async () => {
		const url = await serve(() => {});
		const accessToken = "token\n";
		expect(
			await clientOf(url).submit({ ...message, accessToken }, mayWrite),
		).toMatchObject({ kind: "unsent" });
	});

	it("that is written when the client closes is unknown", async () => {
		const heard = Promise.withResolvers<void>();
		const url = await serve(() => heard.resolve());
		const api = clientOf(url, 60_000);
		const submitted = api.submit(message, mayWrite);
		await heard.promise;
		await api.close();
		expect(await submitted).toMatchObject({ kind: "unknown" });
	});

	it("that is no longer this process's to send when it has connected is not written", async () => {
		let requests = 0;
		const url = await serve((_, response) => {
			requests++;
			response.end();
		});
		const submitted = clientOf(url).submit(message, () => false);
		expect(await submitted).toMatchObject({ kind: "unsent" });
		expect(requests).toBe(0);
	});

	it("waits for no other: 600 at once are all heard of, and each is sent whole", async () => {
		let open = 0;
		const all = Promise.withResolvers<void>();
		const url = await serve((request, response) => {
			expect(request.headers["content-length"]).toBeDefined();
			if (++open === 600) all.resolve();
			void all.promise.then(() =>
				response.end('{"messages":[{"id":"wamid.1"}]}'),
			);
		});
		const api = clientOf(url, 60_000);
		const results = await Promise.all(
			Array.from({ length: 600 }, () => api.submit(message, mayWrite)),
		);
		expect(new Set(results.map(({ kind }) => kind))).toEqual(
			new Set(["taken"]),
		);
	});

	it("goes over HTTP/1.1, whatever else the provider speaks", async () => {
		const offered = Promise.withResolvers<readonly string[]>();
		const server = createTlsServer({
			...makeCertificate("provider"),
			ALPNCallback: ({ protocols }) => {
				offered.resolve(protocols);
				return protocols[0];
			},
		});
		server.on("tlsClientError", () => {});
		await new Promise<void>((resolve) =>
			server.listen(0, "127.0.0.1", resolve),
		);
		cleanup.push(async () => void server.close());
		const { port } = server.address() as AddressInfo;
		await clientOf(`https://127.0.0.1:${port}`).submit(message, mayWrite);
		expect(await offered.promise).toEqual(["http/1.1"]);
	});

	it("that finds nobody was never sent", async () => {
		const url = `http://127.0.0.1:${await freePort()}`;
		expect(await clientOf(url).submit(message, mayWrite)).toMatchObject({
			kind: "unsent",
		});
	});

	it("goes to version and number with the bearer token", async () => {
		const seen: unknown[] = [];
		const url = await serve((request, response) => {
			const { method, url, headers } = request;
			seen.push([method, url, headers.authorization]);
			response.end('{"messages":[{"id":"wamid.1"}]}');
		});
		expect(await clientOf(`${url}/`).submit(message, mayWrite)).toMatchObject({
			kind: "taken",
		});
		expect(seen).toEqual([["POST", "/v23.0/pn/messages", "Bearer token"]]);
	});
});

it("templates are read page by page, and the token never follows a foreign address", async () => {
	const asked: string[] = [];
	const template = (id: number) => ({
		id: String(id),
		name: `t${id}`,
		language: "fr",
		category: "UTILITY",
		status: "APPROVED",
	});
	const url = await serve((request, response) => {
		const after = new URL(request.url ?? "", "http://x").searchParams.get(
			"after",
		);
		asked.push(after ?? "");
		const page =
			after === null
				? {
						data: [template(1), { bad: true }],
						paging: { cursors: { after: "c1" }, next: "http://evil.example/" },
					}
				: { data: [template(2)], paging: { cursors: { after: "c2" } } };
		response.end(JSON.stringify(page));
	});
	const templates = await clientOf(url).listTemplates("waba", "token");
	expect(templates.map((one) => one.name)).toEqual(["t1", "t2"]);
	expect(asked).toEqual(["", "c1"]);
});

it("a template list that fails is the provider's absence", async () => {
	const url = await serve((_, response) => {
		response.writeHead(500).end("no");
	});
	await expect(
		clientOf(url).listTemplates("waba", "token"),
	).rejects.toMatchObject({
		kind: "unavailable",
		reason: "provider_unavailable",
	});
});

it.each([
	[
		401,
		'{"error":{"message":"Error validating access token","code":190}}',
		"(HTTP 401, code 190: Error validating access token)",
	],
	[404, "not JSON", "(HTTP 404)"],
])(
	"a template list that is refused with %i tells the operator what was said",
	async (status, body, said) => {
		const url = await serve((_, response) => {
			response.writeHead(status).end(body);
		});
		const refusal = clientOf(url).listTemplates("waba", "token");
		await expect(refusal).rejects.toMatchObject({
			kind: "conflict",
			reason: "provider_refused",
			message: expect.stringContaining(said),
		});
	},
);
