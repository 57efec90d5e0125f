import {
	mkdir,
	mkdtemp,
	readdir,
	readFile,
	rm,
	utimes,
	writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { eventually } from "@airtower/platform/testing/eventually";
import { expect, onTestFinished, test, vi } from "vitest";
import { openLogFile, openProcessLog } from "./log-file.ts";

const DAY_MS = 86_400_000;

async function logPath(): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), "airtower-log-"));
	onTestFinished(() => rm(folder, { recursive: true }));
	return join(folder, "logs", "service.log");
}

/** What stands in the files that were moved aside, oldest first, and in the one that is written. */
async function textsOf(path: string): Promise<string[]> {
	const names = await readdir(dirname(path));
	const asides = names.filter((name) => name.startsWith("service.log."));
	const paths = asides.sort().map((name) => join(dirname(path), name));
	return Promise.all([...paths, path].map((one) => readFile(one, "utf8")));
}

test("a log that has grown is moved aside while it is written, and the latest of those are kept", async () => {
	const path = await logPath();
	const log = openLogFile(path, { maxOctets: 20, keptFiles: 2 });
	const lines = Array.from({ length: 7 }, (_, at) => `line number ${at}`);
	for (const line of lines) {
		log.write(line);
		await eventually(async () =>
			expect((await textsOf(path)).join("")).toContain(line),
		);
	}
	await log.close();
	expect(await textsOf(path)).toEqual([
		"line number 2\nline number 3\n",
		"line number 4\nline number 5\n",
		"line number 6\n",
	]);
});

test("a later run goes on with the file, or moves it aside once it has grown", async () => {
	const path = await logPath();
	for (const line of ["first line", "second line", "third"]) {
		const log = openLogFile(path, { maxOctets: 20 });
		log.write(line);
		await log.close();
	}
	expect(await textsOf(path)).toEqual(["first line\nsecond line\n", "third\n"]);
});

test("what was moved aside is kept for as many days as it is told, and no longer", async () => {
	const path = await logPath();
	await mkdir(dirname(path));
	for (const days of [2, 4]) {
		const aside = `${path}.${days}`;
		await writeFile(aside, `of ${days} days ago`);
		const at = new Date(Date.now() - days * DAY_MS);
		await utimes(aside, at, at);
	}
	await openLogFile(path, { keptDays: 3 }).close();
	expect(await textsOf(path)).toEqual(["of 2 days ago", ""]);
});

test("files moved aside within a millisecond overwrite none", async () => {
	const path = await logPath();
	const now = vi.spyOn(Date, "now").mockReturnValue(Date.now());
	onTestFinished(() => now.mockRestore());
	for (const line of ["first", "second", "third"]) {
		const log = openLogFile(path, { maxOctets: 5 });
		log.write(line);
		await log.close();
	}
	await openLogFile(path, { maxOctets: 5 }).close();
	expect(await textsOf(path)).toEqual(["first\n", "second\n", "third\n", ""]);
});

test("the files with the latest names are kept, whatever time the file system gives them", async () => {
	const path = await logPath();
	await mkdir(dirname(path));
	for (const [index, time] of ["10-00-01", "10-00-02", "10-00-03"].entries()) {
		await writeFile(`${path}.${time}`, time);
		const at = new Date(Date.now() - index * 1000);
		await utimes(`${path}.${time}`, at, at);
	}
	await openLogFile(path, { keptFiles: 2 }).close();
	expect(await textsOf(path)).toEqual(["10-00-02", "10-00-03", ""]);
});

/** Writes a line again and again until it stands in the file. */
function untilWritten(
	log: { write(line: string): void },
	path: string,
	line: string,
): Promise<void> {
	return eventually(async () => {
		log.write(line);
		expect(await readFile(path, "utf8")).toContain(line);
	});
}

test("a log goes on in a new file once somebody has removed the one that was written", async () => {
	const path = await logPath();
	const log = openLogFile(path);
	await untilWritten(log, path, "before");
	await rm(path);
	await untilWritten(log, path, "after");
	await log.close();
	expect(await readFile(path, "utf8")).not.toContain("before");
});

test("a log goes on once its file can be written again", async () => {
	const path = await logPath();
	await mkdir(path, { recursive: true });
	const log = openLogFile(path);
	log.write("lost, for a folder has the name of the file");
	await rm(path, { recursive: true });
	await untilWritten(log, path, "kept");
	await log.close();
});

test("lines about single requests and calls stand in a file of their own and push out no other", async () => {
	const path = await logPath();
	const log = openProcessLog(path);
	const request = '{"level":"info","status":202,"msg":"request"}';
	const call = '{"level":"info","method":"SendMessages","msg":"rpc"}';
	const warning = '{"level":"warn","msg":"messaging is unavailable"}';
	for (const line of [warning, request, call, "no JSON"]) log.write(line);
	await log.close();
	expect(await textsOf(path)).toEqual([`${warning}\nno JSON\n`]);
	const requests = join(dirname(path), "service-requests.log");
	expect(await readFile(requests, "utf8")).toBe(`${request}\n${call}\n`);
});
