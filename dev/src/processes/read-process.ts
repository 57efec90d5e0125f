import { readFile } from "node:fs/promises";

/** What a running process was started with. Throws where there is no /proc, or no such process. */
export async function readProcess(pid: number | undefined) {
	const read = async (file: string) => {
		const text = await readFile(`/proc/${pid}/${file}`, "utf8");
		return text.split("\0").filter(Boolean);
	};
	const [program = "", ...args] = await read("cmdline");
	const pairs = (await read("environ")).map((pair) => {
		const at = pair.indexOf("=");
		return [pair.slice(0, at), pair.slice(at + 1)] as const;
	});
	return { program, args, env: Object.fromEntries(pairs) };
}
