import { fork } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import {
	connect as connectHttp2,
	createSecureServer,
	type ServerHttp2Session,
	type ServerHttp2Stream,
} from "node:http2";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { fileURLToPath } from "node:url";
import { Health } from "@airtower/proto/grpc/health/v1/health";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../runtime/ports.ts";
import { eventually } from "../testing/eventually.ts";
import { testRpcClient } from "../testing/rpc-client.ts";
import {
	makeCertificate,
	type TestCertificate,
} from "./testing/certificate.ts";
import { startTestServer } from "./testing/server.ts";
import { tlsFiles, writeTlsFiles } from "./testing/tls-files.ts";
import { type RpcTls, readRpcTls } from "./tls.ts";

const NAME = "service.internal";
const RENEW_EVERY_MS = 200;
const HOSTS = ["127.0.0.1", "127.0.0.2"];
/** From the change of the files to the certificate that is shown. */
const A_MINUTE_MS = 60_000;

/** Of two sides that trust each other, each its own authority: authorities are told apart by their names. */
const makePair = (mark: string) => ({
	server: makeCertificate(`server ${mark}`, [NAME]),
	client: makeCertificate(`client ${mark}`),
});
const trusting = (own: TestCertificate, ...others: TestCertificate[]) => ({
	...own,
	ca: others.map(({ cert }) => cert).join(""),
});

async function folderWith(tls: RpcTls): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), "rpc-rotation-"));
	onTestFinished(() => rm(folder, { recursive: true }));
	await writeTlsFiles(folder, tls);
	return folder;
}

async function startReplicas(folder: string): Promise<number> {
	const program = new URL("./testing/tls-server-process.ts", import.meta.url);
	const port = await freePort();
	for (const host of HOSTS) {
		const args = [host, String(port), folder, String(RENEW_EVERY_MS)];
		const child = fork(fileURLToPath(program), args, { execArgv: [] });
		onTestFinished(() => void child.kill("SIGKILL"));
		await once(child, "message");
	}
	return port;
}

/** Calls without a pause until the test ends, by files that may change. */
function keepCalling(port: number, folder: string) {
	const tls = readRpcTls(tlsFiles(folder), { renewEveryMs: RENEW_EVERY_MS });
	let lookUps = 0;
	const client = testRpcClient({
		service: Health,
		audience: "webhooks",
		tls,
		baseUrl: `https://${NAME}:${port}`,
		resolve: async () => {
			lookUps++;
			return HOSTS;
		},
		signer: { tokenFor: async () => "not looked at" },
	});
	let calls = 0;
	let isOpen = true as boolean;
	const all = Array.from({ length: 8 }, async () => {
		for (; isOpen; calls++) await client.check({ service: "" });
	});
	const ended = Promise.all(all);
	ended.catch(() => undefined);
	const close = () => {
		isOpen = false;
		return ended;
	};
	onTestFinished(async () => void (await close().catch(() => undefined)));
	return {
		close,
		goOn: async () => {
			const before = calls;
			await eventually(() => expect(calls).toBeGreaterThan(before + 100));
		},
		hasTaken: async ({ cert, ca }: RpcTls) => {
			await eventually(() => expect(tls?.()).toMatchObject({ cert, ca }));
			const before = lookUps;
			await eventually(() => expect(lookUps).toBeGreaterThan(before));
		},
	};
}

/** Rejects for a client that is not let in, of which a handshake of TLS 1.3 itself does not tell. */
async function shownAt(port: number, tls: RpcTls): Promise<string> {
	const socket = connectTls({
		...tls,
		host: HOSTS[0],
		port,
		servername: NAME,
		ALPNProtocols: ["h2"],
	});
	const closed = new AbortController();
	socket.once("close", () => closed.abort());
	try {
		await once(socket, "data", { signal: closed.signal });
		return socket.getPeerCertificate().fingerprint256;
	} finally {
		socket.on("error", () => undefined).destroy();
	}
}

const fingerprint = ({ cert }: TestCertificate) =>
	new X509Certificate(cert).fingerprint256;

test("certificates of a new authority replace the old ones within a minute while two processes are called: no call fails", async () => {
	const [old, next] = [makePair("old"), makePair("new")];
	const serverFolder = await folderWith(trusting(old.server, old.client));
	const clientFolder = await folderWith(trusting(old.client, old.server));
	const port = await startReplicas(serverFolder);
	const load = keepCalling(port, clientFolder);
	await load.goOn();

	const both = [old.client, next.client];
	const bothServers = [old.server, next.server];
	const trustful = trusting(old.client, ...bothServers);
	await writeTlsFiles(serverFolder, trusting(old.server, ...both));
	await writeTlsFiles(clientFolder, trustful);
	await eventually(() => shownAt(port, trusting(next.client, ...bothServers)));
	await load.hasTaken(trustful);

	const changedAt = performance.now();
	const renewed = trusting(next.client, next.server);
	await writeTlsFiles(serverFolder, trusting(next.server, ...both));
	await writeTlsFiles(clientFolder, trusting(next.client, ...bothServers));
	await eventually(async () =>
		expect(await shownAt(port, renewed)).toBe(fingerprint(next.server)),
	);
	expect(performance.now() - changedAt).toBeLessThan(A_MINUTE_MS);
	await load.goOn();

	await writeTlsFiles(clientFolder, renewed);
	await load.hasTaken(renewed);
	await writeTlsFiles(serverFolder, trusting(next.server, next.client));
	await eventually(() =>
		expect(shownAt(port, trusting(old.client, next.server))).rejects.toThrow(),
	);
	await load.goOn();
	await load.close();
});

test("a server ends the sessions that began under another certificate", async () => {
	let tls: RpcTls = makePair("old").server;
	const { port, close } = await startTestServer({ tls: () => tls });
	onTestFinished(close);
	const session = connectHttp2(`https://127.0.0.1:${port}`, { ca: tls.cert });
	await once(session, "connect");
	const ended = once(session, "close");
	tls = makePair("new").server;
	await ended;
});

test("a client whose certificate changes opens a new session and ends the old one", async () => {
	const [first, second] = [makePair("old").client, makePair("new").client];
	const { cert, key } = makePair("own").server;
	const ca = first.cert + second.cert;
	const shown: string[] = [];
	let open = 0;
	const server = createSecureServer({ cert, key, ca, requestCert: true });
	server.on("session", (session: ServerHttp2Session) => {
		open++;
		session.on("close", () => open--).on("error", () => undefined);
	});
	server.on("secureConnection", (socket: TLSSocket) =>
		shown.push(socket.getPeerCertificate().fingerprint256),
	);
	server.on("stream", (stream: ServerHttp2Stream) =>
		stream.respond({ ":status": 404 }, { endStream: true }),
	);
	await once(server.listen(0, "127.0.0.1"), "listening");
	onTestFinished(() => void server.close());
	const { port } = server.address() as AddressInfo;
	let tls = trusting(first, { cert, key });
	const { check } = testRpcClient({
		service: Health,
		audience: "webhooks",
		tls: () => tls,
		baseUrl: `https://127.0.0.1:${port}`,
		signer: { tokenFor: async () => "not looked at" },
	});
	const call = () => check({ service: "" }).catch(() => undefined);
	await call();
	tls = trusting(second, { cert, key });
	await eventually(async () => {
		await call();
		expect(shown).toEqual([first, second].map(fingerprint));
		expect(open).toBe(1);
	});
});
