import { afterEach, expect, test, vi } from "vitest";
import {
	campaignsEnv,
	egressEnv,
	machineEnv,
	messagingEnv,
} from "./machine-env.ts";

afterEach(() => vi.unstubAllEnvs());

test("processes log as much as the user asks for, and see nothing else of the user's settings", () => {
	vi.stubEnv("LOG_LEVEL", "DEBUG");
	vi.stubEnv("DATABASE_URL", "postgres://elsewhere/x");
	expect(machineEnv()).toMatchObject({ LOG_LEVEL: "debug" });
	expect(machineEnv()).not.toHaveProperty("DATABASE_URL");
});

test("a level that only other programs know is theirs", () => {
	vi.stubEnv("LOG_LEVEL", "verbose");
	expect(machineEnv()).not.toHaveProperty("LOG_LEVEL");
});

test("what messaging does with unknown and old messages can be set for a start", () => {
	const settings = {
		MESSAGE_VALIDITY_S: "600",
		UNKNOWN_WAIT_S: "1",
		UNKNOWN_POLICY: "hold",
		UNKNOWN_DEADLINE_S: "60",
		NO_RECEIPT_AFTER_S: "600",
	};
	for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
	expect(messagingEnv()).toEqual(settings);
	vi.unstubAllEnvs();
	expect(messagingEnv()).toEqual({});
});

test.each([
	{
		what: "the bounds of campaigns",
		env: campaignsEnv,
		settings: {
			CAMPAIGN_QUOTA_SHARE_PERCENT: "80",
			MAX_CONTACTS: "500",
			MAX_OPEN_CAMPAIGNS: "5",
		},
	},
	{
		what: "where requests of ours do not go, and through what",
		env: egressEnv,
		settings: {
			BLOCKED_NETWORKS: "192.0.2.0/24",
			BLOCKED_PORTS: "25",
			EGRESS_PROXY: "http://127.0.0.1:3128",
		},
	},
])("$what can be set for a start", ({ env, settings }) => {
	for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
	expect(env()).toEqual(settings);
	vi.unstubAllEnvs();
	expect(env()).toEqual({});
});
