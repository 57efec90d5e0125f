import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeCertificate } from "@airtower/platform/rpc/testing/certificate";
import { eventually } from "@airtower/platform/testing/eventually";
import { expect, onTestFinished, test } from "vitest";
import { startRoute } from "./route.ts";

const HOST = "smsc.example";

async function startSecureRoute(options: {
	readonly authority: string;
	readonly host?: string;
	readonly tls: { readonly cert: string; readonly key: string };
}) {
	const dir = await mkdtemp(join(tmpdir(), "smpp-tls-"));
	onTestFinished(() => rm(dir, { recursive: true }));
	const ca = join(dir, "ca.crt");
	await writeFile(ca, options.authority);
	const route = await startRoute({
		scheme: "smpps",
		query: `ca=${ca}`,
		waitForBind: false,
		...(options.host !== undefined && { host: options.host }),
		smsc: { tls: options.tls },
	});
	return { ...route, ca };
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
