export interface LogLine {
	readonly level: string;
	readonly text: string;
	readonly isTrouble: boolean;
}

interface PinoLine {
	readonly level: string;
	readonly msg?: string;
	readonly err?: { readonly message?: string };
}

const TROUBLE_LEVELS = ["warn", "error", "fatal"];

/** Reads a structured line; anything else a process says is plain text, and trouble unless it is empty. */
export function readLogLine(line: string): LogLine {
	const parsed = parse(line);
	if (parsed === undefined)
		return { level: "", text: line, isTrouble: line.trim() !== "" };
	const reason = parsed.err?.message;
	return {
		level: parsed.level,
		text: [parsed.msg, reason].filter(Boolean).join(": "),
		isTrouble: TROUBLE_LEVELS.includes(parsed.level),
	};
}

function parse(line: string): PinoLine | undefined {
	if (!line.startsWith("{")) return undefined;
	try {
		const value = JSON.parse(line) as Partial<PinoLine>;
		return typeof value.level === "string" ? (value as PinoLine) : undefined;
	} catch {
		return undefined;
	}
}
