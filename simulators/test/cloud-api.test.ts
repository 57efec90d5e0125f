import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { eventually } from "@airtower/platform/testing/eventually";
import { expect, onTestFinished, test } from "vitest";
import { startCloudApi } from "../src/cloud-api/cloud-api.ts";
import type { CloudApiOptions } from "../src/cloud-api/cloud-api-options.ts";
import { demoTemplates } from "../src/cloud-api/demo-templates.ts";
import type { MetaTemplate } from "../src/cloud-api/meta-template.ts";

const NAMED: MetaTemplate = {
	id: "2000000000000001",
	name: "delivery",
	language: "en_US",
	category: "UTILITY",
	status: "APPROVED",
	parameter_format: "NAMED",
	components: [{ type: "BODY", text: "Hi {{name}}, {{order}} is here." }],
};

/** A look-alike, and requests to it with its token. */
async function start(options: Partial<CloudApiOptions> = {}) {
	const { account, ...api } = await startCloudApi({
		callbackUrl: "http://127.0.0.1:9/",
		appSecret: "secret",
		accessToken: "token",
		wabaId: "waba",
		phoneNumberIds: ["number"],
		templates: [...demoTemplates, NAMED],
		...options,
	});
	onTestFinished(() => api.close());
	const request = async (path: string, body?: object) => {
		const response = await fetch(`${api.url}/v23.0/${path}`, {
			headers: { authorization: "Bearer token" },
			...(body && { method: "POST", body: JSON.stringify(body) }),
		});
		return { status: response.status, body: await response.json() };
	};
	/** Sends a template; resolves with the error's code, or 0. */
	const send = async (name: string, components: readonly object[]) => {
		const { body } = await request("number/messages", {
			messaging_product: "whatsapp",
			to: "33612349999",
			type: "template",
			template: { name, language: { code: "en_US" }, components },
		});
		return (body as { error?: { code: number } }).error?.code ?? 0;
	};
	return { api, account, request, send };
}

const text = (value: string, name?: string) => ({
	type: "text",
	text: value,
	...(name !== undefined && { parameter_name: name }),
});
const body = (...parameters: object[]) => ({ type: "body", parameters });
const CODE = [text("123456")];
const BUTTON = { type: "button", sub_type: "url", index: "0" };

test.each<[string, number, string, object[]]>([
	["takes numbered values", 0, "order_update", [body(text("Ada"), text("42"))]],
	["misses a value", 132_000, "order_update", [body(text("Ada"))]],
	[
		"misses an empty value",
		131_008,
		"order_update",
		[body(text("Ada"), text(""))],
	],
	[
		"misses a blank value",
		131_008,
		"order_update",
		[body(text(" "), text("42"))],
	],
	[
		"takes named values in any order",
		0,
		"delivery",
		[body(text("42", "order"), text("Ada", "name"))],
	],
	["misses names", 100, "delivery", [body(text("Ada"), text("42"))]],
	[
		"knows no other names",
		100,
		"delivery",
		[body(text("Ada", "name"), text("42", "parcel"))],
	],
	[
		"does not take one name twice",
		100,
		"delivery",
		[body(text("Ada", "name"), text("42", "name"))],
	],
	[
		"takes a code in body and button",
		0,
		"login_code",
		[body(...CODE), { ...BUTTON, parameters: CODE }],
	],
	["misses the button", 131_008, "login_code", [body(...CODE)]],
	[
		"misses the code in the button",
		131_008,
		"login_code",
		[body(...CODE), { ...BUTTON, parameters: [text("654321")] }],
	],
	[
		"misses the button's sub_type",
		131_008,
		"login_code",
		[body(...CODE), { type: "button", index: "0", parameters: CODE }],
	],
	[
		"misses the button's index",
		131_008,
		"login_code",
		[body(...CODE), { type: "button", sub_type: "url", parameters: CODE }],
	],
	[
		"has no second button",
		131_008,
		"login_code",
		[body(...CODE), { ...BUTTON, index: "1", parameters: CODE }],
	],
])("a template message %s: %i", async (_what, code, name, components) => {
	const { account, send } = await start();
	expect(await send(name, components)).toBe(code);
	expect(account.sends).toHaveLength(code === 0 ? 1 : 0);
});

test("the template list holds the fields that were asked for, and the id", async () => {
	const { request } = await start();
	const first = async (query: string) => {
		const { body } = await request(`waba/message_templates?${query}`);
		const { data } = body as { data: object[] };
		return Object.keys(data[0] ?? {});
	};
	expect(await first("limit=1&fields=name,status")).toEqual([
		"id",
		"name",
		"status",
	]);
	expect(await first("limit=1")).toContain("components");
});

/** A receiver of callbacks; gives all of them as they came. */
async function startReceiver() {
	const callbacks: string[] = [];
	const server = createServer(async (request, response) => {
		callbacks.push(await textOf(request));
		response.end();
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	return { callbacks, callbackUrl: `http://127.0.0.1:${port}/` };
}

test("a window on file stays open through a restart, for a day after the user wrote", async () => {
	const folder = await mkdtemp(join(tmpdir(), "cloud-api-"));
	onTestFinished(() => rm(folder, { recursive: true }));
	const { callbacks, callbackUrl } = await startReceiver();
	const options = { callbackUrl, inboundFile: join(folder, "inbound.jsonl") };
	const yesterday = Math.floor(Date.now() / 1_000) - 25 * 3_600;
	const before = await start(options);
	await before.account.receiveText({ from: "33612349999" });
	await before.account.receiveText({
		from: "33612348888",
		timestamp: yesterday,
	});
	await before.api.close();
	const { account, request } = await start(options);
	for (const to of ["33612349999", "33612348888"])
		await request("number/messages", {
			messaging_product: "whatsapp",
			to,
			type: "text",
			text: { body: "Hello" },
		});
	const [inside, outside] = account.sends;
	await eventually(() => {
		const all = callbacks.join("\n");
		expect(all).toContain(`{"id":"${inside?.id}","status":"delivered"`);
		expect(all).toContain(`{"id":"${outside?.id}","status":"failed"`);
	});
});
