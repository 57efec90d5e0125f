import { keyRingText } from "@airtower/platform/testing/keys";
import { expect, it } from "vitest";
import { readWebhooksConfig } from "./config.ts";

const ENV = {
	DATABASE_URL: "postgres://127.0.0.1/airtower",
	RPC_PORT: "0",
	OPS_PORT: "0",
	EVENT_BUS: "postgres",
	IDENTITY_KEY_FILE: "key.json",
	TRUSTED_KEYS_FILE: "trusted-keys.json",
	ENCRYPTION_KEYS: keyRingText(),
};

it("plain http and private addresses are off unless they are asked for", () => {
	expect(readWebhooksConfig(ENV)).toMatchObject({
		ALLOW_HTTP_WEBHOOKS: false,
		ALLOW_PRIVATE_WEBHOOK_ADDRESSES: false,
	});
});

it("every bad setting is named at once, and no secret with it", () => {
	const bad = {
		...ENV,
		ENCRYPTION_KEYS: "secret",
		ALLOW_HTTP_WEBHOOKS: "yes",
		MAX_IN_FLIGHT: "0",
	};
	expect(() => readWebhooksConfig(bad)).toThrow(
		/^(?!.*secret).*ENCRYPTION_KEYS.*ALLOW_HTTP_WEBHOOKS.*MAX_IN_FLIGHT/,
	);
});

it("networks and ports that are never dialled are read, and no proxy is used unless one is named", () => {
	const absent = readWebhooksConfig(ENV);
	expect(absent).toMatchObject({ BLOCKED_NETWORKS: [], BLOCKED_PORTS: [] });
	expect(absent.EGRESS_PROXY).toBeUndefined();
	const read = readWebhooksConfig({
		...ENV,
		BLOCKED_NETWORKS: "203.0.113.0/24, 2001:db8::/32,198.51.100.7",
		BLOCKED_PORTS: "25, 6000-6063",
	});
	expect(read.BLOCKED_NETWORKS.map(([, bits]) => bits)).toEqual([24, 32, 32]);
	expect(read.BLOCKED_PORTS).toEqual([
		[25, 25],
		[6_000, 6_063],
	]);
});

it.each([
	{ BLOCKED_NETWORKS: "203.0.113.0/33" },
	{ BLOCKED_NETWORKS: "example.com" },
	{ BLOCKED_PORTS: "70000" },
	{ BLOCKED_PORTS: "90-80" },
	{ EGRESS_PROXY: "socks5://127.0.0.1" },
])("a malformed way out is refused: %j", (bad) => {
	const [name] = Object.keys(bad);
	expect(() => readWebhooksConfig({ ...ENV, ...bad })).toThrow(String(name));
});
