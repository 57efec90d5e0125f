import { afterEach, expect, test, vi } from "vitest";
import { machineEnv } from "./machine-env.ts";

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
