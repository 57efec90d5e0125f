import {
	compareMigrations,
	compareSettings,
	compareTopics,
	readEnded,
} from "@airtower/dev/release/compare";
import { compareContracts } from "@airtower/dev/release/contracts";
import { readMigrations, readPresent } from "@airtower/dev/release/present";
import {
	contractsFile,
	lastRelease,
	type Release,
	readReleases,
} from "@airtower/dev/release/releases";
import { checkMigrations } from "@airtower/dev/release/rule/check-migrations";
import { describe, expect, test } from "vitest";

const releases = await readReleases();
const last = await lastRelease();
const present = await readPresent();
const ended = await readEnded();
const isEnded = (name: string) => ended[name] !== undefined;

describe(`since release ${last.version}`, () => {
	test("no released migration was edited or has gone", () => {
		expect(compareMigrations(last, present)).toEqual([]);
	});

	test("new migrations keep to the rule of upgrades", async () => {
		const fresh = (await readMigrations()).filter(
			({ path }) => last.migrations[path] === undefined,
		);
		const folders = Map.groupBy(fresh, ({ path }) =>
			path.slice(0, path.lastIndexOf("/")),
		);
		const versions = releases.map(({ version }) => version);
		for (const files of folders.values())
			expect(await checkMigrations(files, versions)).toEqual([]);
	});

	test("new migrations of a folder come after its released ones", async () => {
		const files = await readMigrations();
		for (const [at, { path }] of files.entries()) {
			const next = files[at + 1]?.path;
			if (next === undefined || folderOf(next) !== folderOf(path)) continue;
			const isFirst = last.migrations[path] === undefined;
			const isThenReleased = last.migrations[next] !== undefined;
			expect([path, isFirst && isThenReleased]).toEqual([path, false]);
		}
	});

	test("no contract breaks who was built on the last one", async () => {
		expect(await compareContracts(contractsFile(last.version))).toEqual([]);
	});

	test("services start with the settings that they had, and read them", () => {
		expect(compareSettings(last, present, isEnded)).toEqual([]);
	});

	test("no topic has gone", () => {
		expect(compareTopics(last, present, isEnded)).toEqual([]);
	});

	test("what may go names a release in which its use ended", () => {
		const versions = releases.map(({ version }) => version);
		for (const [name, version] of Object.entries(ended))
			expect([name, versions]).toEqual([
				name,
				expect.arrayContaining([version]),
			]);
	});
});

function folderOf(path: string): string {
	return path.slice(0, path.lastIndexOf("/"));
}

const promised: Pick<Release, "migrations" | "settings" | "topics"> = {
	migrations: { "a/0001_a.sql": "1", "a/0002_b.sql": "2" },
	settings: { notes: { URL: "required", LIMIT: "optional" } },
	topics: ["notes.changed.v1"],
};
const never = () => false;

describe("what is refused", () => {
	test("an edited and a removed migration, by file and remedy", () => {
		const migrations = { "a/0001_a.sql": "other", "a/0003_c.sql": "3" };
		expect(compareMigrations(promised, { ...promised, migrations })).toEqual([
			expect.stringMatching(/^a\/0001_a.sql .* edited: restore .* new file/),
			expect.stringMatching(/^a\/0002_b.sql .* gone: restore .* new file/),
		]);
	});

	test("a setting that is not read any more, or newly required", () => {
		const settings = {
			notes: { LIMIT: "required", ADDED: "required", OTHER: "optional" },
		} as const;
		const changed = { ...promised, settings };
		const sentences = compareSettings(promised, changed, never);
		expect(sentences).toEqual([
			expect.stringMatching(/^notes does not read URL .* one more release/),
			expect.stringMatching(/^notes does not start without LIMIT.* default/),
			expect.stringMatching(/^notes does not start without ADDED.* default/),
		]);
		expect(
			compareSettings(promised, changed, (name) => name === "URL"),
		).toHaveLength(2);
	});

	test("a service of which nothing is read, setting by setting", () => {
		expect(
			compareSettings(promised, { ...promised, settings: {} }, never),
		).toHaveLength(2);
	});

	test("a topic that has gone, until a release has ended its use", () => {
		const gone = { ...promised, topics: ["notes.changed.v2"] };
		expect(compareTopics(promised, gone, never)).toEqual([
			expect.stringMatching(/^The topic notes.changed.v1 is gone: publish/),
		]);
		expect(compareTopics(promised, gone, () => true)).toEqual([]);
	});
});
