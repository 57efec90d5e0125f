import { ConfigError } from "@airtower/platform/runtime/config";
import { expect, test } from "vitest";
import { readMessagingConfig } from "../src/config.ts";

const COMPLETE = {
	DATABASE_URL: "postgres://u:p@127.0.0.1:5432/db",
	RPC_PORT: "0",
	OPS_PORT: "0",
	IDENTITY_KEY_FILE: "key.json",
	TRUSTED_KEYS_FILE: "trusted-keys.json",
	EVENT_BUS: "postgres",
	BUS_DATABASE_URL: "postgres://u:p@127.0.0.1:5432/db",
	ACCOUNTS_RPC_URL: "http://127.0.0.1:7001",
	SMPP_ROUTE_URL: "smpp://u:p@127.0.0.1:2775",
};

test("what is left out has the documented defaults", () => {
	expect(readMessagingConfig(COMPLETE)).toMatchObject({
		DATABASE_SCHEMA: "messaging",
		UNKNOWN_POLICY: "resend_once",
		UNKNOWN_WAIT_S: 60,
		MESSAGE_VALIDITY_S: 86_400,
		DISPATCH_LEASE_MS: 10_000,
	});
});

test("every bad setting is named at once, none of its value shown", () => {
	const read = () =>
		readMessagingConfig({
			...COMPLETE,
			ACCOUNTS_RPC_URL: undefined,
			SMPP_ROUTE_URL: "http://secret",
			UNKNOWN_POLICY: "guess",
			DISPATCH_LEASE_MS: "5",
		});
	expect(read).toThrow(ConfigError);
	expect(read).toThrow(
		/ACCOUNTS_RPC_URL.*SMPP_ROUTE_URL.*UNKNOWN_POLICY.*DISPATCH_LEASE_MS/,
	);
	expect(read).not.toThrow(/secret/);
});
