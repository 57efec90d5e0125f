import { createHash } from "node:crypto";
import { glob, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { topics } from "@airtower/proto/rules/topics";
import type { z } from "zod";
import { schema as accounts } from "../../../services/accounts/src/config.ts";
import { schema as campaigns } from "../../../services/campaigns/src/config.ts";
import { schema as gateway } from "../../../services/gateway/src/config.ts";
import { schema as messaging } from "../../../services/messaging/src/config.ts";
import { schema as webhooks } from "../../../services/webhooks/src/config.ts";
import { schema as whatsapp } from "../../../services/whatsapp/src/config.ts";
import type { Release } from "./releases.ts";

const REPOSITORY = fileURLToPath(new URL("../../../", import.meta.url));
const MIGRATIONS = [
	"platform/migrations/*/*.sql",
	"services/*/migrations/*.sql",
];

/** What a release of the files as they are would promise. */
export async function readPresent(): Promise<
	Pick<Release, "migrations" | "settings" | "topics">
> {
	const migrations = (await readMigrations()).map(
		({ path, text }) => [path, checksumOf(text)] as const,
	);
	return {
		migrations: Object.fromEntries(migrations),
		settings: readSettings(),
		topics: Object.values(topics).sort(),
	};
}

/** All files, each folder's in its order. */
export async function readMigrations(): Promise<
	{ path: string; text: string }[]
> {
	const paths = await Array.fromAsync(glob(MIGRATIONS, { cwd: REPOSITORY }));
	return Promise.all(
		paths.sort().map(async (path) => {
			return { path, text: await readFile(`${REPOSITORY}${path}`, "utf8") };
		}),
	);
}

function checksumOf(text: string): string {
	return createHash("sha256").update(text).digest("hex");
}

function readSettings(): Release["settings"] {
	const services = {
		accounts,
		campaigns,
		gateway,
		messaging,
		webhooks,
		whatsapp,
	};
	return Object.fromEntries(
		Object.entries(services).map(([service, { shape }]) => [
			service,
			kindsOf(shape),
		]),
	);
}

function kindsOf(shape: z.ZodRawShape) {
	const kinds = Object.entries(shape).map(([name, setting]) => {
		const isOptional = (setting as z.ZodType).safeParse(undefined).success;
		return [name, isOptional ? "optional" : "required"] as const;
	});
	return Object.fromEntries(kinds.sort());
}
