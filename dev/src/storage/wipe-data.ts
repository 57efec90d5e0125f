import { readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { holdDataDir } from "./run-state.ts";

/** What a start puts into a data folder; whatever else lies there is the user's. */
const OWN = [
	"postgres",
	"kafka",
	"logs",
	"keys",
	"secrets.json",
	"dev.json",
	"ports.json",
	"smsc-receipts.jsonl",
	"smsc-2-receipts.jsonl",
	"whatsapp-inbound.jsonl",
	"run.json",
];
/** Of drafts, which a crash leaves behind. */
const DRAFT = /\.(new|password)$/;
const LOCK = "run.lock";

/** Names of the product's files in a folder. */
export async function findData(dataDir: string): Promise<string[]> {
	const names = await readdir(dataDir).catch(() => []);
	return names.filter((name) => OWN.includes(name.replace(DRAFT, "")));
}

/**
 * Removes the product's files, and the folder when nothing else is in it.
 * @throws StartError while a system runs there
 */
export async function wipeData(dataDir: string): Promise<void> {
	const state = await holdDataDir(dataDir);
	try {
		for (const name of await findData(dataDir))
			await rm(join(dataDir, name), { recursive: true, force: true });
	} finally {
		await state.release();
	}
	await rm(join(dataDir, LOCK), { force: true });
	await rmdir(dataDir).catch(() => {});
}
