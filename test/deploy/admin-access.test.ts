import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SERVICES } from "@airtower/cli/access";
import { commands } from "@airtower/cli/commands";
import { runCli } from "@airtower/cli/run-cli";
import { makeCertificate } from "@airtower/platform/rpc/testing/certificate";
import { startTestServer } from "@airtower/platform/rpc/testing/server";
import {
	tlsFiles,
	writeTlsFiles,
} from "@airtower/platform/rpc/testing/tls-files";
import { expect, onTestFinished, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { type Manifest, type Overlay, ofKind } from "./manifest.ts";

interface Certificate {
	readonly dnsNames: readonly string[];
	readonly usages: readonly string[];
}

const ENDPOINT = "0199b0a4-5f1c-7c3e-9b1a-000000000001";
const FILE = new URL(
	"../../deploy/k8s/components/mutual-tls/certificates.yaml",
	import.meta.url,
);
const manifests: Overlay = parseAllDocuments(readFileSync(FILE, "utf8")).map(
	(one) => one.toJS() as Manifest,
);

/** The certificate that cert-manager would make, for its names and no address. */
function certificateOf(name: string, usage: string) {
	const { spec } =
		ofKind<Certificate>(manifests, "Certificate").find(
			({ metadata }) => metadata.name === name,
		) ?? expect.fail(`there is no certificate ${name}`);
	expect(spec.usages).toContain(usage);
	return makeCertificate(name, spec.dnsNames, []);
}

test.each(SERVICES)(
	"with mutual TLS an admin reaches %s through a forwarded port, as the runbook says",
	async (service) => {
		const server = certificateOf(service, "server auth");
		const client = certificateOf("admin", "client auth");
		const { port, close } = await startTestServer({
			tls: () => ({ ...server, ca: client.cert }),
		});
		onTestFinished(close);
		const folder = await mkdtemp(join(tmpdir(), "airtower-admin-tls-"));
		onTestFinished(() => rm(folder, { recursive: true }));
		await writeTlsFiles(folder, { ...client, ca: server.cert });
		const { stderr } = await runCli(
			["deliveries", "list", ENDPOINT],
			commands,
			{
				...tlsFiles(folder),
				AIRTOWER_ADMIN_TOKEN: "token",
				AIRTOWER_WEBHOOKS_RPC_URL: `https://localhost:${port}`,
			},
		);
		expect(stderr).toMatch(/^The admin token was refused/);
	},
);
