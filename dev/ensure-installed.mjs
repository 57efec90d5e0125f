// Runs on any Node from 18 on, before anything is installed: plain JavaScript, nothing but Node's own modules.
import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { isInstalled, node, repository } from "./installed.mjs";

const PARENT_CHECK_MS = 250;
/** Of the start: npm may end while packages are installed. */
const { ppid } = process;
/** Compiled code of earlier starts: halves the time until a process is ready. */
const compileCache = join(repository, ".cache/node");

/** Runs `npm ci` when packages or patches are missing or others than the repository names. */
export function ensureInstalled() {
	if (isInstalled()) return;
	const startedAt = Date.now();
	process.stdout.write(
		"\n  Installing packages (npm ci), about half a minute.\n",
	);
	const { status, error } = spawnSync(
		"npm",
		["ci", "--no-audit", "--no-fund", "--loglevel=error"],
		{
			cwd: repository,
			stdio: ["ignore", "ignore", "inherit"],
			shell: process.platform === "win32",
		},
	);
	if (status !== 0) {
		const reason =
			error === undefined ? "its own words stand above" : error.message;
		process.stderr.write(`\n  npm ci failed; ${reason}.\n\n`);
		process.exit(1);
	}
	if (!isInstalled()) {
		process.stderr.write(
			"\n  npm ci did not run the repository's own scripts; is ignore-scripts set?\n\n",
		);
		process.exit(1);
	}
	process.stdout.write(
		`  Installed in ${((Date.now() - startedAt) / 1000).toFixed(0)} s.\n`,
	);
}

/**
 * Runs a program on the repository's own Node with this process's terminal; ends with its exit code.
 * The channel tells the program when this process was killed without a word.
 */
export function handOver(args) {
	const child = spawn(node, args, {
		cwd: repository,
		env: { NODE_COMPILE_CACHE: compileCache, ...process.env },
		stdio: ["inherit", "inherit", "inherit", "ipc"],
	});
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
		process.on(signal, () => child.kill(signal));
	endWithNpm(child);
	child.on("exit", (code) => process.exit(code ?? 1));
	child.on("error", (error) => {
		process.stderr.write(`\n  ${node} does not start: ${error.message}.\n\n`);
		process.exit(1);
	});
}

/** A SIGTERM to npm ends only the shell between it and us: its end is then the request to stop. */
function endWithNpm(child) {
	if (process.env.npm_lifecycle_event === undefined) return;
	const timer = setInterval(() => {
		if (process.ppid === ppid) return;
		clearInterval(timer);
		child.kill("SIGTERM");
	}, PARENT_CHECK_MS);
	timer.unref();
}
