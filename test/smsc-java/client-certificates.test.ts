import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { javaEnv } from "@airtower/dev/servers/maven-jars";
import { makeCertificate } from "@airtower/platform/rpc/testing/certificate";
import { createLogger } from "@airtower/platform/runtime/log";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { Receipt } from "../../services/messaging/src/domain/receipts/receipt.ts";
import { parseSmppRoute } from "../../services/messaging/src/operators/route/smpp-route.ts";
import { createSmppOperator } from "../../services/messaging/src/operators/smpp-operator.ts";
import { LIBRARIES, startJavaSmsc } from "./java-smsc.ts";

const run = promisify(execFile);

const PASSWORD = "keystore";
const OURS = makeCertificate("airtower");
const ANOTHERS = makeCertificate("somebody else");

let dir = "";
let files: Awaited<ReturnType<typeof makeFiles>>;

beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "smsc-java-"));
	files = await makeFiles();
});

afterAll(() => rm(dir, { recursive: true, force: true }));

test.each(LIBRARIES)(
	"an SMSC of %s that demands a certificate takes messages of the route that shows the right one, and binds no other",
	async (library) => {
		const smsc = await startJavaSmsc(library, files);
		const stranger = startRoute(smsc.port, files, files.anothers);
		await eventually(() =>
			expect(stranger.logs.join("")).toContain("SMPP bind failed"),
		);
		const { operator, receipts } = startRoute(smsc.port, files, files.ours);
		await eventually(() => expect(operator.status().bound).toBe(true));
		const { parts } = await operator.submit({
			messageId: "0199a1b2-0000-7000-8000-0000000000c9",
			organizationId: "0199a1b2-0000-7000-8000-0000000000aa",
			lane: 1,
			clientReference: "",
			attempt: 1,
			to: "+33612349999",
			sender: "Airtower",
			body: "over TLS",
			validitySeconds: 86_400,
			reference: 200,
		});
		expect(parts.map(({ kind }) => kind)).toEqual(["accepted"]);
		await eventually(() => expect(receipts).toHaveLength(1));
		expect(smsc.messages.map(({ text }) => text)).toEqual(["over TLS"]);
		expect(stranger.operator.status().bound).toBe(false);
	},
);

/** A route that shows the certificate in the files `<own>.crt` and `<own>.key`. */
function startRoute(port: number, { ca }: { ca: string }, own: string) {
	const logs: string[] = [];
	const log = createLogger({
		service: "test",
		level: "debug",
		destination: { write: (line) => logs.push(line) },
	});
	const query = `ids=auto&ca=${ca}&cert=${own}.crt&key=${own}.key`;
	const url = `smpps://airtower:airtower@127.0.0.1:${port}?${query}`;
	const operator = createSmppOperator(parseSmppRoute(url), log);
	onTestFinished(() => operator.close());
	const receipts: Receipt[] = [];
	operator.start({
		onReceipt: async (receipt) => void receipts.push(receipt),
		onMessage: async () => {},
	});
	operator.hold([0], () => true);
	return { operator, receipts, logs };
}

/** A keystore with a new key of the SMSC's, a truststore that knows our certificate alone, and PEM files. */
async function makeFiles() {
	const path = (name: string) => join(dir, name);
	for (const [name, { cert, key }] of [
		["ours", OURS],
		["anothers", ANOTHERS],
	] as const) {
		await writeFile(path(`${name}.crt`), cert);
		await writeFile(path(`${name}.key`), key);
	}
	const [keystore, truststore] = [path("keystore.p12"), path("trusted.p12")];
	const keytool = (command: string, store: string, ...more: string[]) =>
		run(
			"keytool",
			[
				command,
				...["-alias", "one", "-keystore", store, "-storetype", "PKCS12"],
				...["-storepass", PASSWORD, ...more],
			],
			{ env: javaEnv() },
		);
	const key = ["-keyalg", "EC", "-groupname", "secp256r1"];
	const name = ["-dname", "CN=smsc", "-ext", "san=ip:127.0.0.1"];
	await keytool("-genkeypair", keystore, ...key, ...name);
	const ca = path("ca.crt");
	await keytool("-exportcert", keystore, "-rfc", "-file", ca);
	const ours = ["-noprompt", "-file", path("ours.crt")];
	await keytool("-importcert", truststore, ...ours);
	return {
		keystore,
		truststore,
		password: PASSWORD,
		ca,
		ours: path("ours"),
		anothers: path("anothers"),
	};
}
