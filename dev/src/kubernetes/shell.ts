import { spawn } from "node:child_process";

/** Runs a command and returns what it prints; throws with its own words when it fails. */
export async function run(
	command: string,
	args: readonly string[],
	input?: string,
): Promise<string> {
	const child = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"] });
	child.stdin.end(input);
	const [out, err, code] = await Promise.all([
		child.stdout.setEncoding("utf8").toArray(),
		child.stderr.setEncoding("utf8").toArray(),
		new Promise<number | null>((resolve, reject) => {
			child.once("error", reject).once("close", resolve);
		}),
	]);
	if (code !== 0)
		throw new Error(
			`${command} ${args.slice(0, 4).join(" ")} failed: ${err.join("") || out.join("")}`,
		);
	return out.join("");
}

/** Runs a command line of a setting, with words of our own after it. */
export function runLine(line: string, ...more: string[]): Promise<string> {
	const [command = "", ...args] = line.split(/\s+/).filter(Boolean);
	return run(command, [...args, ...more]);
}
