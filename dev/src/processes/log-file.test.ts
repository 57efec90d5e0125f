import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "@airtower/platform/testing/eventually";
import { expect, onTestFinished, test } from "vitest";
import { openLogFile } from "./log-file.ts";

async function logPath(): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), "airtower-log-"));
	onTestFinished(() => rm(folder, { recursive: true }));
	return join(folder, "logs", "service.log");
}

/** What stands in the file and in the one before it. */
async function textOf(path: string): Promise<string> {
	const texts = [`${path}.1`, path].map((one) =>
		readFile(one, "utf8").catch(() => ""),
	);
	return (await Promise.all(texts)).join("");
}

test("a log that has grown is moved aside while it is written, and one older file is kept", async () => {
	const path = await logPath();
	const log = openLogFile(path, 20);
	for (const line of ["first line", "second line", "third"]) {
		log.write(line);
		await eventually(async () => expect(await textOf(path)).toContain(line));
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
