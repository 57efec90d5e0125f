export interface Result {
	readonly fault: number;
	readonly name: string;
	readonly seed: number;
	/** Messages that clients saw accepted. */
	readonly messages: number;
	/** Tries of clients that were not accepted, and came again. */
	readonly repeatedTries: number;
	/** Submits beyond one for each part, and the most that the lost windows allow. */
	readonly extraSubmits: number;
	readonly allowedSubmits: number;
	readonly broken: readonly string[];
	readonly note: string;
	readonly seconds: number;
}

const HEAD = [
	"fault",
	"seed",
	"messages",
	"tries repeated",
	"extra submits, all marked",
	"I1-I11",
	"s",
];

/** A table in Markdown, a line for each fault and seed. */
export function resultTable(results: readonly Result[]): string {
	const rows = [...results]
		.sort((a, b) => a.fault - b.fault || a.seed - b.seed)
		.map((result) => [
			`${result.fault} ${result.name}${result.note && ` (${result.note})`}`,
			...[result.seed, result.messages, result.repeatedTries].map(String),
			`${result.extraSubmits} of ${result.allowedSubmits}`,
			result.broken.length === 0 ? "hold" : `**${brokenNames(result)}**`,
			String(result.seconds),
		]);
	return [HEAD, HEAD.map(() => "---"), ...rows]
		.map((cells) => `| ${cells.join(" | ")} |\n`)
		.join("");
}

function brokenNames({ broken }: Result): string {
	const names = broken.map((sentence) => sentence.split(":")[0] ?? "");
	return [...new Set(names)].join(", ");
}
