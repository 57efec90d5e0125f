import { readFileSync } from "node:fs";
import { ConfigError } from "./config.ts";

/**
 * Reads a file anew at each call; while that fails, or it is empty because somebody writes it, its last text stays
 * valid. Throws ConfigError if it has none.
 */
export function renewedFile(setting: string, path: string): () => string {
	let text = read();
	if (text === undefined)
		throw new ConfigError(`${setting}: the file cannot be read, or is empty.`);
	function read(): string | undefined {
		try {
			return readFileSync(path, "utf8") || undefined;
		} catch {
			return undefined;
		}
	}
	return () => {
		text = read() ?? text;
		return text as string;
	};
}
