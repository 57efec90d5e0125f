import { fileURLToPath } from "node:url";
import { identitySettings } from "@airtower/platform/testing/identities";
import { keyRingText } from "@airtower/platform/testing/keys";
import {
	type ServiceProcess,
	startServiceProcess,
} from "@airtower/platform/testing/service-process";
import postgres from "postgres";

const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

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

/** The service as its own process, as in production. */
export function startProcess(
	databaseUrl: string,
	env: Record<string, string> = {},
): Promise<ServiceProcess> {
	return startServiceProcess({
		main,
		env: {
			DATABASE_URL: databaseUrl,
			BUS_DATABASE_URL: databaseUrl,
			EVENT_BUS: "postgres",
			...identitySettings("webhooks"),
			ENCRYPTION_KEYS: encryptionKeys,
			ALLOW_HTTP_WEBHOOKS: "true",
			ALLOW_PRIVATE_WEBHOOK_ADDRESSES: "true",
			LOG_LEVEL: "error",
			...env,
		},
	});
}
