import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeSecrets } from "@airtower/dev/compose/write-secrets";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { containerFaults } from "./checks/containers.ts";
import { type Compose, formFaults, readCompose } from "./compose.ts";
import { serviceSettings } from "./settings.ts";

describe("deploy/compose.yaml", () => {
	let dir: string;
	let secrets: string;
	const compose = readCompose();

	beforeAll(async () => {
		dir = await mkdtemp(join(tmpdir(), "airtower-compose-"));
		secrets = join(dir, "secrets");
		await writeSecrets(secrets);
	});
	afterAll(() => rm(dir, { recursive: true, force: true }));

	test("has the form of a Compose file", () => {
		expect(formFaults(compose)).toEqual([]);
		expect(formFaults(changed("gateway", { cpu: 1 })).join()).toContain("cpu");
	});

	test("runs every service with the settings that it needs, after its migration", () => {
		const names = Object.keys(compose.services);
		const services = Object.keys(serviceSettings);
		expect(names).toEqual(expect.arrayContaining(services));
		expect(containerFaults(compose, secrets)).toEqual([]);
	});

	test.each<[string, object, string]>([
		["gateway", { environment: {} }, "HTTP_PORT is missing"],
		["gateway", { ports: ["8080:8080"] }, "open to other machines"],
		["accounts", { environment: { RPC_PROT: "1" } }, "has no setting RPC_PROT"],
		["accounts", { env_file: [] }, "DATABASE_URL is missing"],
		["accounts", { depends_on: {} }, "does not wait for its migration"],
		["accounts", { stop_grace_period: "30s" }, "before its drain is over"],
		["accounts", { healthcheck: { test: ["CMD-SHELL", "x"] } }, "a shell"],
		[
			"accounts",
			{ healthcheck: { test: ["CMD", "/usr/local/bin/node", "-e", "a b"] } },
			"Podman splits",
		],
		["accounts", { read_only: false }, "may write to its root"],
		["accounts", { cap_drop: [] }, "keeps capabilities"],
		["accounts", { security_opt: [] }, "may gain rights"],
		["accounts", { mem_limit: undefined }, "all memory"],
		["accounts", { volumes: ["./secrets/x:/x"] }, "which nobody makes"],
		["postgres", { logging: undefined }, "the disk with its log"],
		["accounts-migrate", { depends_on: {} }, "does not wait for PostgreSQL"],
		["messaging-delivery", { networks: ["outside"] }, "on no network of"],
	])("what is wrong is found: %s %j", (name, change, finding) => {
		const found = containerFaults(changed(name, change), secrets);
		expect(found.join("\n")).toContain(finding);
	});

	test("its secrets are for their owner's eyes, and are never made anew", async () => {
		const { mode } = await stat(secrets);
		expect(mode & 0o077).toBe(0);
		const before = await readFile(join(secrets, "accounts.env"), "utf8");
		await expect(writeSecrets(secrets)).rejects.toThrow("is there already");
		const after = await readFile(join(secrets, "accounts.env"), "utf8");
		expect(after).toBe(before);
	});

	function changed(name: string, change: object): Compose {
		const service = { ...compose.services[name], ...change };
		return {
			...compose,
			services: { ...compose.services, [name]: service },
		} as Compose;
	}
});
