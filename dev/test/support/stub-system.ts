import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { identitySettings } from "@airtower/platform/testing/identities";
import { onTestFinished } from "vitest";
import type { DevFile } from "../../src/start/dev-file.ts";

export interface StubRequest {
	/** Method and path, without the query. */
	readonly route: string;
	readonly body: Readonly<Record<string, unknown>>;
}

/** The dev file of a system whose API, and whose look-alike, respond as told; and all that they were asked. */
export async function stubSystem(
	respond: (request: StubRequest) => object,
): Promise<{ dev: DevFile; requests: readonly StubRequest[] }> {
	const requests: StubRequest[] = [];
	const server = createServer(async (incoming, response) => {
		const hasBody = incoming.method === "POST";
		const body = hasBody ? await json(incoming) : {};
		const route = `${incoming.method} ${incoming.url?.split("?")[0]}`;
		const request = { route, body: body as StubRequest["body"] };
		requests.push(request);
		response.end(JSON.stringify(respond(request)));
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	return { dev: devFile(`http://127.0.0.1:${port}`), requests };
}

function devFile(url: string): DevFile {
	return {
		baseUrl: url,
		apiKey: "key",
		organizationId: "o",
		sender: "Airtower",
		pid: 1,
		operator: "127.0.0.1:2775",
		eventBus: "PostgreSQL" as const,
		adminKeyFile: identitySettings("admin").IDENTITY_KEY_FILE,
		readyAt: "2026-01-01T00:00:00Z",
		rpcUrls: {
			accounts: url,
			messaging: url,
			whatsapp: url,
			campaigns: url,
			webhooks: url,
		},
		cloudApi: { url },
		smsc: { smppUrl: "smpp://127.0.0.1:2775", controlUrl: url },
		otherOperators: [],
		whatsapp: {
			phoneNumberId: "p",
			template: {
				name: "order_update",
				language: "en_US",
				category: "utility",
				parameters: [],
			},
		},
	};
}
