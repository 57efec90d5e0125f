import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openLogFile } from "./log-file.ts";

async function logPath(): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), "airtower-log-"));
	onTestFinished(() => rm(folder, { recursive: true }));
	return join(folder, "logs", "service.log");
}

test("a log that has grown is moved aside while it is written, and one older file is kept", async () => {
	const path = await logPath();
	const log = openLogFile(path, 20);
	for (const line of ["first line", "second line", "third"]) {
		log.write(line);
		// Time to open the file.
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
	await log.close();
	expect(await readFile(`${path}.1`, "utf8")).toBe("first line\nsecond line\n");
	expect(await readFile(path, "utf8")).toBe("third\n");
});

test("a later run goes on with the file, or moves it aside once it has grown", async () => {
	const path = await logPath();
	for (const line of ["first line", "second line", "third"]) {
		const log = openLogFile(path, 20);
		log.write(line);
		await log.close();
	}
	expect(await readFile(`${path}.1`, "utf8")).toBe("first line\nsecond line\n");
	expect(await readFile(path, "utf8")).toBe("third\n");
});
