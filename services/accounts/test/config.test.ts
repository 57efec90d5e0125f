import { expect, test } from "vitest";
import { readAccountsConfig } from "../src/config.ts";

const ring = `one:${Buffer.alloc(32).toString("base64")}`;
const complete = {
	DATABASE_URL: "postgres://127.0.0.1/airtower",
	RPC_PORT: "8101",
	OPS_PORT: "8201",
	IDENTITY_KEY_FILE: "key.json",
	TRUSTED_KEYS_FILE: "trusted-keys.json",
	API_KEY_PEPPERS: ring,
	ENCRYPTION_KEYS: ring,
	EVENT_BUS: "postgres",
	MESSAGING_RPC_URL: "http://127.0.0.1:8102",
};

test("what may be left out has its default", () => {
	expect(readAccountsConfig(complete)).toMatchObject({
		DATABASE_SCHEMA: "accounts",
		RECONCILE_AFTER_S: 60,
	});
});

test("every bad setting is named at once, without its value", () => {
	const read = () =>
		readAccountsConfig({
			...complete,
			API_KEY_PEPPERS: "secret",
			MESSAGING_RPC_URL: "",
			RECONCILE_AFTER_S: "10",
		});
	expect(read).toThrow(
		/API_KEY_PEPPERS.*MESSAGING_RPC_URL is missing.*RECONCILE_AFTER_S/s,
	);
	expect(read).not.toThrow(/secret/);
});
