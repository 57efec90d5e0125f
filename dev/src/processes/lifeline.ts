import { spawn } from "node:child_process";
import type { ProcessIdentity } from "./process-identity.ts";

interface Lifeline {
	release(): void;
}

/** A process that does not end by the signal is killed so long after, s. */
const GRACE_S = 10;

/** Not every image has ps, and not every system has /proc. */
const SCRIPT = `
ours() { { tr '\\0' ' ' < "/proc/$1/cmdline" || ps -ww -o args= -p "$1"; } | grep -qF -e "$2"; }
read -r _
ours "$1" "$2" && kill -s "$3" "$1" && sleep ${GRACE_S} && ours "$1" "$2" && kill -s KILL "$1"
`;

/** A shell reads a pipe of ours, which closes with us; in a session of its own it survives what is sent to ours. */
export function holdLifeline(
	{ pid, mark }: ProcessIdentity,
	signal: NodeJS.Signals,
): Lifeline {
	const name = signal.slice("SIG".length);
	const shell = spawn("sh", ["-c", SCRIPT, "sh", String(pid), mark, name], {
		detached: true,
		stdio: ["pipe", "ignore", "ignore"],
	});
	shell.unref();
	return { release: () => shell.kill("SIGKILL") };
}
