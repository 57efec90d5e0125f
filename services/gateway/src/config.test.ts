import { keyRingText } from "@airtower/platform/testing/keys";
import { expect, test } from "vitest";
import { readGatewayConfig } from "./config.ts";

const env = {
	DATABASE_URL: "postgres://localhost/airtower",
	OPS_PORT: "0",
	HTTP_PORT: "8080",
	IDENTITY_KEY_FILE: "key.json",
	TRUSTED_KEYS_FILE: "trusted-keys.json",
	CURSOR_KEYS: keyRingText(),
	EVENT_BUS: "postgres",
	ACCOUNTS_RPC_URL: "http://localhost:1",
	MESSAGING_RPC_URL: "http://localhost:2",
	WEBHOOKS_RPC_URL: "http://localhost:3",
	WHATSAPP_RPC_URL: "http://localhost:4",
	CAMPAIGNS_RPC_URL: "http://localhost:5",
};

test("the gateway needs no RPC port, listens locally and trusts no proxy unless told", () => {
	expect(readGatewayConfig(env)).toMatchObject({
		HTTP_HOST: "127.0.0.1",
		HTTP_PORT: 8080,
		FAILED_AUTH_LIMIT: 300,
	});
	expect(readGatewayConfig(env).TRUST_PROXY).toBeUndefined();
});

test.each(["10.0.0.0/8", "::1, 192.168.0.1", "loopback,fd00::/8"])(
	"TRUST_PROXY may be %s",
	(value) => {
		const { TRUST_PROXY } = readGatewayConfig({ ...env, TRUST_PROXY: value });
		expect(TRUST_PROXY?.join(", ")).toBe(value.replace(/,\s*/g, ", "));
	},
);

test.each([
	"true",
	"1",
	"10.0.0.0/33",
	"example.com",
	"10.0.0.0/8/8",
	"::/129",
])("TRUST_PROXY may not be %s", (value) => {
	expect(() => readGatewayConfig({ ...env, TRUST_PROXY: value })).toThrow(
		/TRUST_PROXY/,
	);
});
