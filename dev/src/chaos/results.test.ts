import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Result, resultTable } from "./results.ts";
import { writeTable } from "./write-table.ts";

const held: Result = {
	fault: 4,
	name: "dispatcher killed",
	seed: 1,
	note: "",
	messages: 900,
	repeatedTries: 3,
	extraSubmits: 7,
	allowedSubmits: 20,
	broken: [],
	seconds: 12,
};
const broken: Result = {
	...held,
	fault: 2,
	seed: 2,
	note: "twice",
	broken: ["I2: a", "I2: b", "I7: c"],
};

test("the table names each broken invariant once, in the order of faults and seeds", () => {
	const lines = resultTable([held, { ...held, seed: 3 }, broken]).split("\n");
	expect(lines.slice(2, 5)).toEqual([
		"| 2 dispatcher killed (twice) | 2 | 900 | 3 | 7 of 20 | **I2, I7** | 12 |",
		"| 4 dispatcher killed | 1 | 900 | 3 | 7 of 20 | hold | 12 |",
		"| 4 dispatcher killed | 3 | 900 | 3 | 7 of 20 | hold | 12 |",
	]);
});

test("a new table takes the place of the one before, and nothing else of the file", async () => {
	const dir = await mkdtemp(join(tmpdir(), "chaos-table-"));
	onTestFinished(() => rm(dir, { recursive: true }));
	const path = join(dir, "a.md");
	await writeFile(path, "# A\n<!-- chaos -->\nold\n<!-- /chaos -->\nafter\n");
	await writeTable(path, "new\n");
	expect(await readFile(path, "utf8")).toBe(
		"# A\n<!-- chaos -->\nnew\n<!-- /chaos -->\nafter\n",
	);
	await writeFile(path, "# A\n");
	await expect(writeTable(path, "new\n")).rejects.toThrow("no place");
	const other = join(dir, "b.md");
	await writeTable(other, "new\n");
	expect(await readFile(other, "utf8")).toBe(
		"<!-- chaos -->\nnew\n<!-- /chaos -->\n",
	);
});
