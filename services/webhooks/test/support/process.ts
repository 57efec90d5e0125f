import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { freePort } from "@airtower/platform/runtime/ports";
import { eventually } from "@airtower/platform/testing/eventually";
import { identitySettings } from "@airtower/platform/testing/identities";
import { keyRingText } from "@airtower/platform/testing/keys";
import { machineEnv } from "@airtower/platform/testing/machine-env";
import postgres from "postgres";

/** The service as its own operating-system process, on a database of its own. */
export interface ServiceProcess {
	readonly rpcPort: number;
	/** Resolves with the signal or code that ended it. */
	readonly ended: Promise<string>;
	stop(signal: NodeJS.Signals): Promise<string>;
	signal(signal: "SIGSTOP" | "SIGCONT"): void;
}

export interface ProcessDatabase {
	readonly url: string;
	drop(): Promise<void>;
}

const encryptionKeys = keyRingText();

/** A database with the schema of the service; the service makes the rest. */
export async function processDatabase(
	adminUrl: string,
): Promise<ProcessDatabase> {
	const name = `webhooks_${process.pid}_${Date.now()}`;
	const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
	await admin`create database ${admin(name)}`;
	const url = new URL(adminUrl);
	url.pathname = `/${name}`;
	const fresh = postgres(url.href, { max: 1 });
	await fresh`create schema webhooks`;
	await fresh.end();
	return {
		url: url.href,
		drop: async () => {
			await admin`drop database ${admin(name)} with (force)`;
			await admin.end();
		},
	};
}

/** Starts the service and resolves once it is ready. */
export async function startProcess(
	databaseUrl: string,
	env: Record<string, string> = {},
): Promise<ServiceProcess> {
	const rpcPort = await freePort();
	const opsPort = await freePort();
	const child = spawn(process.execPath, [mainFile()], {
		stdio: ["ignore", "ignore", "inherit"],
		env: {
			...machineEnv(),
			DATABASE_URL: databaseUrl,
			BUS_DATABASE_URL: databaseUrl,
			EVENT_BUS: "postgres",
			RPC_PORT: String(rpcPort),
			OPS_PORT: String(opsPort),
			...identitySettings("webhooks"),
			ENCRYPTION_KEYS: encryptionKeys,
			ALLOW_HTTP_WEBHOOKS: "true",
			ALLOW_PRIVATE_WEBHOOK_ADDRESSES: "true",
			LOG_LEVEL: "error",
			...env,
		},
	});
	const ended = endOf(child);
	const ready = eventually(async () => {
		const response = await fetch(`http://127.0.0.1:${opsPort}/ready`);
		if (response.status !== 200) throw new Error("not ready");
	});
	const died = ended.then((how) => {
		throw new Error(`The service ended before it was ready: ${how}`);
	});
	await Promise.race([ready, died]);
	died.catch(() => {});
	ready.catch(() => {});
	return {
		rpcPort,
		ended,
		stop: (signal) => {
			child.kill(signal);
			return ended;
		},
		signal: (signal) => void child.kill(signal),
	};
}

function mainFile(): string {
	return fileURLToPath(new URL("../../src/main.ts", import.meta.url));
}

async function endOf(child: ChildProcess): Promise<string> {
	const [code, signal] = await once(child, "exit");
	return String(signal ?? code);
}
