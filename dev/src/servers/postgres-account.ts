import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import type { Command } from "../processes/launch.ts";
import { StartError } from "../processes/start-error.ts";

const run = promisify(execFile);

type Account = NonNullable<Command["account"]>;

/** Who runs the server: PostgreSQL refuses root, so root hands over to the user `postgres`. */
export interface ServerAccount {
	readonly owner: Account;
	command(
		program: string,
		args: readonly string[],
	): Pick<Command, "program" | "args"> & { readonly account: Account };
}

/** @throws Error in one sentence when PostgreSQL's user may not enter one of these folders and files */
export async function findServerAccount(
	paths: readonly string[],
): Promise<ServerAccount> {
	const owner = process.getuid?.() === 0 ? await postgresUser() : {};
	const barred = await findBarred(paths, owner);
	if (barred !== undefined) return accountWithPassage(owner, barred);
	return {
		owner,
		command: (program, args) => ({ program, args, account: owner }),
	};
}

async function postgresUser(): Promise<Account> {
	const id = async (flag: string) =>
		Number((await run("id", [flag, "postgres"])).stdout);
	const ids = async () => ({ uid: await id("-u"), gid: await id("-g") });
	return ids().catch(async () => {
		await run("groupadd", ["--force", "--system", "postgres"]);
		await run("useradd", ["--system", "-g", "postgres", "postgres"]);
		return ids();
	});
}

async function findBarred(
	paths: readonly string[],
	{ uid }: Account,
): Promise<string | undefined> {
	if (uid === undefined) return undefined;
	for (const start of paths)
		for (let path = start; path !== dirname(path); path = dirname(path)) {
			const found = await stat(path);
			if (found.uid !== uid && (found.mode & 0o001) === 0) return path;
		}
	return undefined;
}

/** Gives the right to pass folders that only root may enter, and no other right of root. */
async function accountWithPassage(
	owner: Account,
	barred: string,
): Promise<ServerAccount> {
	const flags = [
		`--reuid=${owner.uid}`,
		`--regid=${owner.gid}`,
		"--clear-groups",
		"--inh-caps=+dac_read_search",
		"--ambient-caps=+dac_read_search",
		// Without it access(2), with which initdb looks for the server, disregards the right.
		"--securebits=+no_setuid_fixup",
	];
	await run("setpriv", [...flags, "true"]).catch(() => {
		throw new StartError(
			`PostgreSQL does not run as root, and its own user may not enter ${barred}. ` +
				"Choose another folder with --data-dir, or start as an ordinary user.",
		);
	});
	return {
		owner,
		command: (program, args) => ({
			program: "setpriv",
			args: [...flags, program, ...args],
			account: {},
		}),
	};
}
