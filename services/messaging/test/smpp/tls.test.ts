import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
	makeCertificate,
	type TestCertificate,
} from "@airtower/platform/rpc/testing/certificate";
import { eventually } from "@airtower/platform/testing/eventually";
import type { SmscTls } from "@airtower/simulators/smsc/smsc-options";
import { expect, onTestFinished, test } from "vitest";
import { startRoute } from "./route.ts";

const HOST = "smsc.example";

async function startSecureRoute(options: {
	readonly authority: string;
	readonly host?: string;
	readonly tls: SmscTls;
	/** What the client shows. */
	readonly own?: TestCertificate;
}) {
	const dir = await mkdtemp(join(tmpdir(), "smpp-tls-"));
	onTestFinished(() => rm(dir, { recursive: true }));
	const [ca, cert, key] = ["ca.crt", "own.crt", "own.key"].map((name) =>
		join(dir, name),
	) as [string, string, string];
	await writeFile(ca, options.authority);
	if (options.own !== undefined) {
		await writeFile(cert, options.own.cert);
		await writeFile(key, options.own.key);
	}
	const own = options.own === undefined ? "" : `&cert=${cert}&key=${key}`;
	const route = await startRoute({
		scheme: "smpps",
		query: `ca=${ca}${own}`,
		waitForBind: false,
		...(options.host !== undefined && { host: options.host }),
		smsc: { tls: options.tls },
	});
	return { ...route, ca, cert, key };
}

test("a route over TLS binds, submits and gets its receipts", async () => {
	const tls = makeCertificate(HOST);
	const { submit, receipts } = await startSecureRoute({
		tls,
		authority: tls.cert,
	});
	const [part] = await submit();
	expect(part?.kind).toBe("accepted");
	await eventually(() => expect(receipts).toHaveLength(1));
});

test.each([
	["another authority", {}, /SMPP bind failed: self-signed certificate/],
	[
		"another host's name",
		{ host: "localhost" },
		/SMPP bind failed: .*altnames/,
	],
])(
	"an operator with a certificate of %s is sent nothing, which is logged and tried again",
	async (_what, { host }: { host?: string }, line) => {
		const tls = makeCertificate(HOST);
		const other = makeCertificate(HOST);
		const authority = host === undefined ? other.cert : tls.cert;
		const { operator, smsc, logs } = await startSecureRoute({
			tls,
			authority,
			...(host !== undefined && { host }),
		});
		await eventually(() =>
			expect(logs.filter((text) => line.test(text)).length).toBeGreaterThan(1),
		);
		expect(operator.status()).toMatchObject({ bound: false, binds: 0 });
		expect(smsc.stats.binds).toBe(0);
	},
);

test("an operator whose authority changes is bound once its file says so", async () => {
	const tls = makeCertificate(HOST);
	const { operator, ca } = await startSecureRoute({
		tls,
		authority: makeCertificate(HOST).cert,
	});
	await eventually(() =>
		expect(operator.status().lastError).toMatch(/self-signed/),
	);
	await writeFile(ca, tls.cert);
	await eventually(() => expect(operator.status().bound).toBe(true));
});

test("an operator that asks for a certificate is shown the route's own", async () => {
	const tls = makeCertificate(HOST);
	const own = makeCertificate("airtower");
	const { submit, receipts } = await startSecureRoute({
		tls: { ...tls, clientAuthority: own.cert },
		authority: tls.cert,
		own,
	});
	const [part] = await submit();
	expect(part?.kind).toBe("accepted");
	await eventually(() => expect(receipts).toHaveLength(1));
});

test.each([
	["none", undefined],
	["one of another authority", makeCertificate("stranger")],
])(
	"an operator that asks for a certificate binds nobody who shows %s",
	async (_, other) => {
		const tls = makeCertificate(HOST);
		const own = makeCertificate("airtower");
		const { operator, smsc } = await startSecureRoute({
			tls: { ...tls, clientAuthority: own.cert },
			authority: tls.cert,
			...(other !== undefined && { own: other }),
		});
		await eventually(() => expect(operator.status().lastError).toBeDefined());
		expect(operator.status()).toMatchObject({ bound: false, binds: 0 });
		expect(smsc.stats.binds).toBe(0);
	},
);

test("a certificate that is renewed in its file is shown by the next connection", async () => {
	const tls = makeCertificate(HOST);
	const own = makeCertificate("airtower");
	const { operator, cert, key } = await startSecureRoute({
		tls: { ...tls, clientAuthority: own.cert },
		authority: tls.cert,
		own: makeCertificate("airtower"),
	});
	await eventually(() => expect(operator.status().lastError).toBeDefined());
	await writeFile(cert, own.cert);
	await writeFile(key, own.key);
	await eventually(() => expect(operator.status().bound).toBe(true));
});
