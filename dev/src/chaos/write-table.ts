import { readFile, writeFile } from "node:fs/promises";

const BEGIN = "<!-- chaos -->";
const END = "<!-- /chaos -->";

/** Puts the table between the two marks of the file, in place of the one before. */
export async function writeTable(path: string, table: string): Promise<void> {
	const text = await readFile(path, "utf8");
	const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
	if (begin < 0 || end < begin)
		throw new Error(`${path} has no place for the table: ${BEGIN} ... ${END}.`);
	const before = text.slice(0, begin + BEGIN.length);
	await writeFile(path, `${before}\n${table}${text.slice(end)}`);
}
