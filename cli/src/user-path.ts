import { relative, resolve } from "node:path";

/** Where data goes when nothing is said. */
export const DEFAULT_DATA_DIR = ".data";

/** A path as the user typed it: npm runs scripts in the repository's folder, not in the user's. */
export function userPath(path: string): string {
	if (path === DEFAULT_DATA_DIR) return resolve(path);
	return resolve(process.env.INIT_CWD ?? process.cwd(), path);
}

export function shownPath(path: string): string {
	const fromHere = relative(process.cwd(), path);
	return fromHere.startsWith("..") || fromHere === "" ? path : fromHere;
}

/** A path as one word of a command to paste into a shell. */
export function shellWord(path: string): string {
	if (/^[\w./-]+$/.test(path)) return path;
	return `'${path.replaceAll("'", "'\\''")}'`;
}
