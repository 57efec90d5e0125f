import { readFile, writeFile } from "node:fs/promises";

const BEGIN = "<!-- chaos -->";
const END = "<!-- /chaos -->";

/** Puts the table between the two marks of the file, in place of the one before; a file that is not there is made. */
export async function writeTable(path: string, table: string): Promise<void> {
	const { before, after } = await findTable(path);
	await writeFile(path, `${before}\n${table}${after}`);
}

/** What the file has around the table. Throws where it has no marks for one. */
export async function findTable(path: string) {
	const text = await readFile(path, "utf8").catch(textOfMissing);
	const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
	if (begin < 0 || end < begin)
		throw new Error(`${path} has no place for the table: ${BEGIN} ... ${END}.`);
	return {
		before: text.slice(0, begin + BEGIN.length),
		after: text.slice(end),
	};
}

function textOfMissing(error: NodeJS.ErrnoException): string {
	if (error.code !== "ENOENT") throw error;
	return `${BEGIN}\n${END}\n`;
}
