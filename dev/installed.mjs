// Runs on any Node from 18 on, before anything is installed: plain JavaScript, nothing but Node's own modules.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const repository = fileURLToPath(new URL("..", import.meta.url));
/** The product's own Node. */
export const node = join(repository, "node_modules/.bin/node");
/** `npm ci` begins by removing it, and the root's postinstall writes it last. */
const stamp = join(repository, "node_modules/.airtower-installed");

/** True when node_modules holds what the lock and the patches of now say, the patches applied. */
export function isInstalled() {
	if (!existsSync(node) || !existsSync(stamp)) return false;
	return readFileSync(stamp, "utf8") === digestOfWanted();
}

/** Notes that all is installed and patched. */
export function markInstalled() {
	writeFileSync(stamp, digestOfWanted());
}

function digestOfWanted() {
	const patches = readdirSync(join(repository, "patches")).sort();
	const files = [
		"package-lock.json",
		...patches.map((p) => join("patches", p)),
	];
	const hash = createHash("sha256");
	for (const file of files)
		hash.update(file).update(readFileSync(join(repository, file)));
	return hash.digest("hex");
}
