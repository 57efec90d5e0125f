import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";

/** A folder of `0001_slug.sql` files that are applied once each, in the order of their names. */
export interface MigrationSet {
	readonly name: string;
	readonly dir: URL;
}

export interface MigrationFile {
	readonly name: string;
	readonly text: string;
	readonly checksum: string;
	/** Its statements run one by one, each in a transaction of its own or in none. */
	readonly isOutsideTransaction: boolean;
}

/** The first line of a file whose statements do not run in one transaction. */
export const OUTSIDE_TRANSACTION = "-- outside of a transaction";

export const platformMigrations = {
	outbox: platformSet("outbox"),
	singletons: platformSet("singletons"),
	inbox: platformSet("inbox"),
	idempotency: platformSet("idempotency"),
	bus: platformSet("bus"),
	leases: platformSet("leases"),
	clock: platformSet("clock"),
	privacy: platformSet("privacy"),
	scans: platformSet("scans"),
	audit: platformSet("audit"),
} as const;

export async function readSet(set: MigrationSet): Promise<MigrationFile[]> {
	const names = (await readdir(set.dir)).filter((name) =>
		name.endsWith(".sql"),
	);
	return Promise.all(
		names.sort().map(async (name) => {
			const text = await readFile(new URL(name, set.dir), "utf8");
			const checksum = createHash("sha256").update(text).digest("hex");
			return {
				name: `${set.name}/${name}`,
				text,
				checksum,
				isOutsideTransaction: text.startsWith(`${OUTSIDE_TRANSACTION}\n`),
			};
		}),
	);
}

function platformSet(name: string): MigrationSet {
	return {
		name,
		dir: new URL(`../../../migrations/${name}/`, import.meta.url),
	};
}
