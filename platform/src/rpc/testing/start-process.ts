import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { trustedKeysText } from "../../testing/identities.ts";

/** A server at 127.0.0.1 in a process of its own, which the test may stop and kill; port 0 takes a free one. */
export async function startServerProcess(port: number) {
	const program = fileURLToPath(
		new URL("./server-process.ts", import.meta.url),
	);
	const args = [String(port), trustedKeysText];
	const child = fork(program, args, { execArgv: [] });
	onTestFinished(() => void child.kill("SIGKILL"));
	const [started] = (await once(child, "message")) as [{ port: number }];
	return { process: child, port: started.port };
}
