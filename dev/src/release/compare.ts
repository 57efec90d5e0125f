import { readFile } from "node:fs/promises";
import { RELEASED, type Release } from "./releases.ts";

type Promised = Pick<Release, "migrations" | "settings" | "topics">;

/** By name: the release in which the last use of a setting or topic ended, which may then go. */
export async function readEnded(): Promise<Record<string, string>> {
	return JSON.parse(await readFile(`${RELEASED}ended.json`, "utf8"));
}

/** A sentence with its remedy for each released migration that is not as it was. */
export function compareMigrations(last: Promised, present: Promised): string[] {
	return Object.entries(last.migrations).flatMap(([path, checksum]) => {
		const found = present.migrations[path];
		if (found === checksum) return [];
		const what = found === undefined ? "is gone" : "was edited";
		return [
			`${path} is released and ${what}: restore it from the release's commit, and change the schema by a new file.`,
		];
	});
}

/** A sentence for each setting that only the last release reads, and each that only this one cannot start without. */
export function compareSettings(
	last: Promised,
	present: Promised,
	isEnded: (name: string) => boolean,
): string[] {
	return Object.entries(last.settings).flatMap(([service, before]) => {
		const now = present.settings[service] ?? {};
		const removed = Object.keys(before)
			.filter((name) => now[name] === undefined && !isEnded(name))
			.map(
				(name) =>
					`${service} does not read ${name} any more: read it for one more release, ` +
					"then name that release in released/ended.json.",
			);
		const required = Object.keys(now)
			.filter((name) => now[name] === "required" && before[name] !== "required")
			.map(
				(name) =>
					`${service} does not start without ${name}, which the last release does not ask for: give it a default.`,
			);
		return [...removed, ...required];
	});
}

/** A sentence for each topic that processes of the last release use and this one does not. */
export function compareTopics(
	last: Promised,
	present: Promised,
	isEnded: (name: string) => boolean,
): string[] {
	return last.topics
		.filter((topic) => !present.topics.includes(topic) && !isEnded(topic))
		.map(
			(topic) =>
				`The topic ${topic} is gone: publish to it and read it for one more release, ` +
				"then name that release in released/ended.json.",
		);
}
