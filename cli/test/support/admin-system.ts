import { randomUUID } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { adminSigner } from "@airtower/cli/access";
import { commands } from "@airtower/cli/commands";
import { type Outcome, runCli } from "@airtower/cli/run-cli";
import { keyFile, readKey } from "@airtower/dev/secrets/identity-keys";
import { startSystem } from "@airtower/dev/start/start-system";
import type { System } from "@airtower/dev/start/system";
import { askForSharedServer } from "@airtower/dev/testing/ask-shared-server";
import type { Env } from "@airtower/platform/runtime/config";
import { testRpcClient } from "@airtower/platform/testing/rpc-client";
import { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import postgres from "postgres";
import { afterAll, beforeAll, expect } from "vitest";

const SERVICES = [
	"accounts",
	"messaging",
	"whatsapp",
	"campaigns",
	"webhooks",
] as const;

/** What a test file has while its system runs. */
interface AdminSystem extends ReturnType<typeof actOn> {
	readonly system: UsedSystem;
	readonly sql: postgres.Sql;
}

/** What another process can be told of a system. */
type UsedSystem = Omit<
	System,
	"kill" | "restart" | "stop" | "pids" | "databaseUrl"
>;

interface StartedSystem {
	readonly system: UsedSystem;
	readonly stop?: () => Promise<void>;
}

/** The result is filled before the first test of the file. */
export function useSystem(start: () => Promise<StartedSystem>): AdminSystem {
	const use = {} as AdminSystem;
	let stop: StartedSystem["stop"];
	beforeAll(async () => {
		const started = await start();
		stop = started.stop;
		const { system } = started;
		const sql = postgres(system.adminDatabaseUrl, { max: 1 });
		Object.assign(use, { system, sql, ...actOn(system) });
	});
	afterAll(async () => {
		await use.sql.end();
		await stop?.();
	});
	return use;
}

/** A system of the test file's own. */
export async function ownSystem() {
	const dataDir = await mkdtemp(join(tmpdir(), "airtower-admin-"));
	await chmod(dataDir, 0o755);
	const system = await startSystem({ dataDir });
	const stop = async () => {
		await system.stop();
		await rm(dataDir, { recursive: true, force: true });
	};
	return { system, stop };
}

/** The one of the whole test run. */
export async function sharedSystem(): Promise<StartedSystem> {
	return { system: await askForSharedServer<UsedSystem>("system") };
}

/** The CLI on a running system, and what an organization does there. */
export function actOn(system: UsedSystem) {
	const urls = SERVICES.map((name) => [
		`AIRTOWER_${name.toUpperCase()}_RPC_URL`,
		system.addresses[name].rpcUrl,
	]);
	const env = {
		...Object.fromEntries(urls),
		AIRTOWER_ADMIN_KEY_FILE: keyFile(system.keysDir, "admin"),
	};

	function admin(...args: string[]): Promise<Outcome> {
		return runCli(args, commands, env);
	}

	/** The CLI with other settings. */
	function adminWith(settings: Env, ...args: string[]): Promise<Outcome> {
		return runCli(args, commands, { ...env, ...settings });
	}

	/** What the CLI tells a machine; fails the test when it does not succeed. */
	async function json<T = Record<string, unknown>>(...args: string[]) {
		const outcome = await admin(...args, "--json");
		expect(outcome).toMatchObject({ exitCode: 0, stderr: "" });
		return JSON.parse(outcome.stdout) as T;
	}

	async function newOrganization() {
		const name = `Org ${randomUUID()}`;
		const create = ["organizations", "create", name, "--email", "a@b.example"];
		const { id } = await json<{ id: string }>(...create);
		return { id, name };
	}

	async function requestSender(organizationId: string, value: string) {
		const messaging = testRpcClient({
			service: MessagingService,
			baseUrl: system.addresses.messaging.rpcUrl,
			audience: "messaging",
			signer: adminSigner(readKey(system.keysDir, "admin")),
		});
		await messaging.requestSenderId({ organizationId, value });
	}

	async function post<T>(path: string, secret: string, body: unknown) {
		const response = await fetch(`${system.baseUrl}${path}`, {
			method: "POST",
			headers: {
				authorization: `Bearer ${secret}`,
				"content-type": "application/json",
			},
			body: JSON.stringify(body),
		});
		expect(response.ok).toBe(true);
		return (await response.json()) as T;
	}

	/** Sends an SMS; returns its id. */
	async function send(secret: string, to = "+33612345678"): Promise<string> {
		const message = { to, message: "Hello" };
		const { provider } = await post<{ provider: { messageId: string } }>(
			...(["/sms/send", secret, message] as const),
		);
		return provider.messageId;
	}

	return { admin, adminWith, json, newOrganization, requestSender, post, send };
}
