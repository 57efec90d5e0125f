import { OUTSIDE_TRANSACTION } from "@airtower/platform/database/migration/migration-set";
import { parseMigration, type Statement } from "./parse-migration.ts";
import { type Refusal, refuse, Unreleased } from "./refusal.ts";
import { judgeInTransaction, judgeOutside } from "./statements.ts";

interface UnreleasedFile {
	/** From the repository's root. */
	readonly path: string;
	readonly text: string;
}

const MARKER = /^-- contract: (.*)$/m;
/** As it is written out in a refusal, characters. */
const QUOTED = 80;

/**
 * Holds the unreleased files of one folder, in their order, to the rule of upgrades: the last release must work on the
 * schema that they lead to, and no table may be kept from it for longer than a moment.
 *
 * Returns a sentence for each refusal, which names the file, the statement and the remedy.
 */
export async function checkMigrations(
	files: readonly UnreleasedFile[],
	releases: readonly string[],
): Promise<string[]> {
	const unreleased = new Unreleased();
	const sentences: string[] = [];
	for (const { path, text } of files) {
		const isOutside = text.startsWith(`${OUTSIDE_TRANSACTION}\n`);
		const statements = await parseMigration(text);
		if (isOutside && !isOneInEachPart(text, statements))
			sentences.push(
				`${path}: its statements are not apart. Put an empty line between two of them, and none within one.`,
			);
		for (const statement of statements) {
			const refusals = isOutside
				? judgeOutside(statement)
				: judgeInTransaction(statement, unreleased);
			for (const refusal of excuse(statement, refusals, releases))
				sentences.push(toSentence(path, statement, refusal));
		}
	}
	return sentences;
}

/** The migration runner takes a file apart at its empty lines. */
function isOneInEachPart(
	text: string,
	statements: readonly Statement[],
): boolean {
	const parts = text.split(/\n\s*\n/).filter((part) => /^[^-\n]/m.test(part));
	return (
		parts.length === statements.length &&
		parts.every((part, at) => part.includes(statements[at]?.text ?? part))
	);
}

/** What a marker allows; one that names no release allows nothing. */
function excuse(
	{ above }: Statement,
	refusals: readonly Refusal[],
	releases: readonly string[],
): readonly Refusal[] {
	const release = MARKER.exec(above)?.[1];
	if (release === undefined) return refusals;
	if (!releases.includes(release))
		return [
			refuse(
				`has a marker that names ${release}, which is no release`,
				`Name the release in which the last use ended: ${releases.join(", ")}.`,
			),
		];
	return refusals.filter(({ isContract }) => !isContract);
}

function toSentence(
	path: string,
	{ text }: Statement,
	{ reason, remedy }: Refusal,
): string {
	const [line = ""] = text.replace(/\s+/g, " ").match(`.{1,${QUOTED}}`) ?? [];
	return `${path}: "${line}" ${reason}. ${remedy}`;
}
