import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { StartError } from "../processes/start-error.ts";

const run = promisify(execFile);

interface JarSet {
	/** For messages to people. */
	readonly name: string;
	readonly pom: string;
	/** Where the jars are kept once they are fetched. */
	readonly libs: string;
	/** What to do instead of installing Maven; empty where nothing helps. */
	readonly otherwise: string;
}

/** Environment of a Java program: outside a UTF-8 locale it cannot open a path with a letter beyond ASCII. */
export function javaEnv(): NodeJS.ProcessEnv {
	return { ...process.env, LC_ALL: "C.UTF-8" };
}

/** 0 without Java. */
export async function javaVersion(): Promise<number> {
	try {
		const { stderr } = await run("java", ["-version"]);
		return Number(/version "(\d+)/.exec(stderr)?.[1] ?? 0);
	} catch {
		return 0;
	}
}

export function hasMaven(): Promise<boolean> {
	return run("mvn", ["-v"], { env: javaEnv() }).then(
		() => true,
		() => false,
	);
}

/**
 * Fetches what a pom depends on with Maven, unless it is there; returns its folder. The jars are gathered beside their
 * place and moved there whole: a crash leaves no half of them. @throws StartError in one sentence when it cannot
 */
export async function fetchJars(
	{ name, pom, libs, otherwise }: JarSet,
	signal?: AbortSignal,
): Promise<string> {
	if (existsSync(libs)) return libs;
	if (!(await hasMaven()))
		throw new StartError(
			`${name}'s jars are fetched with Maven, and there is no mvn on the PATH; install Maven${otherwise}.`,
		);
	await mkdir(dirname(libs), { recursive: true });
	const draft = await mkdtemp(join(dirname(libs), "fetch-"));
	const target = join(draft, "libs");
	try {
		await run(
			"mvn",
			[
				"-B",
				"-q",
				"-f",
				pom,
				"dependency:copy-dependencies",
				"-DincludeScope=runtime",
				`-DoutputDirectory=${target}`,
			],
			{ env: javaEnv(), signal },
		).catch((cause) => {
			throw new StartError(
				`Maven could not fetch ${name}'s jars; is it online?`,
				{ cause },
			);
		});
		await rename(target, libs).catch((error) => {
			if (!existsSync(libs)) throw error;
		});
		return libs;
	} finally {
		await rm(draft, { recursive: true, force: true });
	}
}
