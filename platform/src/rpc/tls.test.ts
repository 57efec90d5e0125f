import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebhooksService } from "@airtower/proto/webhooks/v1/webhooks";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { describe, expect, onTestFinished, test } from "vitest";
import { mintToken } from "../identity/caller-token.ts";
import { ConfigError } from "../runtime/config.ts";
import { createLogger } from "../runtime/log.ts";
import { createMetrics, writeMetrics } from "../runtime/metrics.ts";
import { testKey } from "../testing/identities.ts";
import { testRpcClient } from "../testing/rpc-client.ts";
import { makeCertificate } from "./testing/certificate.ts";
import { AUDIENCE, ORGANIZATION, startTestServer } from "./testing/server.ts";
import { measureCertificates, type RpcTls, readRpcTls } from "./tls.ts";

const serverSide = makeCertificate("server");
const clientSide = makeCertificate("client");
const stranger = makeCertificate("stranger");

async function list(server: RpcTls, client: RpcTls) {
	const { port, close } = await startTestServer({ tls: () => server });
	onTestFinished(close);
	const { listEndpoints } = testRpcClient({
		service: WebhooksService,
		baseUrl: `https://127.0.0.1:${port}`,
		audience: AUDIENCE,
		tls: () => client,
	});
	return listEndpoints({ organizationId: ORGANIZATION, page: { limit: 1 } });
}

describe("calls over TLS", () => {
	test("succeed when both sides show a certificate the other trusts", async () => {
		const response = await list(
			{ ...serverSide, ca: clientSide.cert },
			{ ...clientSide, ca: serverSide.cert },
		);
		expect(response.endpoints).toHaveLength(1);
	});

	test("succeed for any client when the server names no authority", async () => {
		const response = await list(serverSide, {
			...stranger,
			ca: serverSide.cert,
		});
		expect(response.endpoints).toHaveLength(1);
	});

	test("succeed over HTTP/1.1 too", async () => {
		const { port, close } = await startTestServer({ tls: () => serverSide });
		onTestFinished(close);
		const transport = createConnectTransport({
			baseUrl: `https://127.0.0.1:${port}`,
			httpVersion: "1.1",
			nodeOptions: { ca: serverSide.cert },
		});
		const { listEndpoints } = createClient(WebhooksService, transport);
		const token = await mintToken({
			key: testKey("gateway"),
			audience: AUDIENCE,
			lifetimeSeconds: 60,
			organization: ORGANIZATION,
		});
		const { endpoints } = await listEndpoints(
			{ organizationId: ORGANIZATION, page: { limit: 1 } },
			{ headers: { authorization: `Bearer ${token}` } },
		);
		expect(endpoints).toHaveLength(1);
	});

	test("are refused for a client whose certificate the server does not trust", async () => {
		await expect(
			list(
				{ ...serverSide, ca: clientSide.cert },
				{ ...stranger, ca: serverSide.cert },
			),
		).rejects.toThrow();
	});

	test("are not made to a server that the client does not trust", async () => {
		await expect(
			list(serverSide, { ...clientSide, ca: stranger.cert }),
		).rejects.toThrow("cannot be reached");
	});
});

describe("readRpcTls", () => {
	async function filesWith(contents: Record<string, string>) {
		const dir = await mkdtemp(join(tmpdir(), "rpc-tls-"));
		onTestFinished(() => rm(dir, { recursive: true }));
		for (const [name, text] of Object.entries(contents))
			await writeFile(join(dir, name), text);
		return (name: string) => join(dir, name);
	}

	test("is undefined when nothing is configured", async () => {
		expect(readRpcTls({})).toBeUndefined();
	});

	test("reads the configured files", async () => {
		const { cert, key } = serverSide;
		const ca = clientSide.cert;
		const path = await filesWith({ cert, key, ca });
		const settings = {
			RPC_TLS_CERT_FILE: path("cert"),
			RPC_TLS_KEY_FILE: path("key"),
		};
		expect(readRpcTls(settings)?.()).toEqual({ cert, key });
		expect(
			readRpcTls({ ...settings, RPC_TLS_CA_FILE: path("ca") })?.(),
		).toEqual({ cert, key, ca });
	});

	test.each([
		["no PEM", { cert: "C", key: "K" }],
		["another certificate's key", { ...serverSide, key: stranger.key }],
		["no authority", { ...serverSide, ca: "C" }],
		["half an authority", { ...serverSide, ca: serverSide.cert.slice(0, 99) }],
		["an empty authority", { ...serverSide, ca: "" }],
	])("names the settings whose files hold %s", async (_, files: RpcTls) => {
		const path = await filesWith({ ...files });
		expect(() =>
			readRpcTls({
				RPC_TLS_CERT_FILE: path("cert"),
				RPC_TLS_KEY_FILE: path("key"),
				...(files.ca !== undefined && { RPC_TLS_CA_FILE: path("ca") }),
			}),
		).toThrow(ConfigError);
	});

	test.each([
		["half an authority", "ca", clientSide.cert.slice(0, 99)],
		["another certificate's key", "key", stranger.key],
	])(
		"keeps what it had while the files hold %s, and says so",
		async (_, name, text) => {
			const ca = clientSide.cert;
			const before = { ...serverSide, ca };
			const path = await filesWith(before);
			const lines: string[] = [];
			const tls = readRpcTls(
				{
					RPC_TLS_CERT_FILE: path("cert"),
					RPC_TLS_KEY_FILE: path("key"),
					RPC_TLS_CA_FILE: path("ca"),
				},
				{
					renewEveryMs: 0,
					log: createLogger({
						service: "test",
						level: "warn",
						destination: { write: (line) => void lines.push(line) },
					}),
				},
			);
			await writeFile(path(name), text);
			for (let looks = 0; looks < 4; looks++) expect(tls?.()).toEqual(before);
			expect(lines.map((line) => JSON.parse(line).level)).toEqual([
				"warn",
				"error",
			]);
			expect(lines.join()).toContain("RPC_TLS_CA_FILE an authority");
			const next = {
				...makeCertificate("next"),
				ca: `${ca}${serverSide.cert}`,
			};
			for (const [file, content] of Object.entries(next))
				await writeFile(path(file), content);
			expect(tls?.()).toEqual(next);
		},
	);

	test("names the setting that is missing or cannot be read", async () => {
		const path = await filesWith({ cert: "C" });
		const RPC_TLS_CERT_FILE = path("cert");
		expect(() => readRpcTls({ RPC_TLS_CERT_FILE })).toThrow(
			"RPC_TLS_KEY_FILE is missing",
		);
		expect(() =>
			readRpcTls({ RPC_TLS_CERT_FILE, RPC_TLS_KEY_FILE: path("key") }),
		).toThrow("RPC_TLS_KEY_FILE: the file cannot be read, or is empty");
		expect(() => readRpcTls({ RPC_TLS_CA_FILE: path("cert") })).toThrow(
			"RPC_TLS_CA_FILE needs",
		);
	});
});

describe("the end of what is in use", () => {
	const lasting = (days: number) => makeCertificate("a", [], [], days);
	const daysFromNow = async (tls?: RpcTls) => {
		const metrics = createMetrics("test");
		measureCertificates(metrics, tls && (() => tls));
		const { text } = await writeMetrics(metrics);
		const [, end] = /_end_seconds\{.*\} (\S+)/.exec(text) ?? [];
		return (
			(Number(end?.replace("+Inf", "Infinity")) - Date.now() / 1_000) / 86_400
		);
	};

	test("is that of the certificate, whatever leads to its authority", async () => {
		const { cert, key } = lasting(9);
		const chain = `${cert}${lasting(3).cert}`;
		expect(await daysFromNow({ cert: chain, key })).toBeCloseTo(9, 2);
	});

	test("is that of the last authority where that comes first", async () => {
		const authorities = (...days: number[]) =>
			days.map((one) => lasting(one).cert).join("");
		const own = lasting(9);
		expect(await daysFromNow({ ...own, ca: authorities(2, 5) })).toBeCloseTo(
			5,
			2,
		);
		expect(await daysFromNow({ ...own, ca: authorities(2, 30) })).toBeCloseTo(
			9,
			2,
		);
	});

	test("is never without TLS", async () => {
		expect(await daysFromNow()).toBe(Infinity);
	});
});
