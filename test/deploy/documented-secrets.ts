import { readFileSync } from "node:fs";
import { type Overlay, ofKind } from "./manifest.ts";
import { plainName, type Secrets } from "./secrets.ts";
import { serviceSettings } from "./settings.ts";

const README = new URL("../../deploy/k8s/README.md", import.meta.url);
const WORD =
	/`([^`]+)`|\b(accounts|messaging|whatsapp|campaigns|webhooks|gateway)\b/g;

/** What the README has people put into the store of secrets: the names in `airtower/`, and the variables of each. */
export function documentedSecrets(): Map<string, string[]> {
	const [, after = ""] = readFileSync(README, "utf8").split("| secret |");
	const [table = ""] = after.split("\n\n");
	const documented = new Map<string, string[]>();
	for (const row of table.split("\n").slice(2)) {
		const [, who = "", what = ""] = row.split("|");
		const variables = [...what.matchAll(/`([\w.-]+)`/g)]
			.map(([, name = ""]) => name)
			.filter((name) => !name.startsWith("kubernetes"));
		for (const name of expand(who))
			documented.set(name, [...(documented.get(name) ?? []), ...variables]);
	}
	return documented;
}

/** The documented secrets, with the development overlay's values where it has some. */
export function storeFrom(dev: Overlay): Secrets {
	const values = new Map(
		ofKind(dev, "Secret").map(({ metadata, data = {} }) => [
			plainName(metadata.name),
			data,
		]),
	);
	return new Map(
		[...documentedSecrets()].map(([name, variables]) => [
			name,
			Object.fromEntries(
				variables.map((variable) => {
					const value = values.get(name)?.[variable] ?? "";
					return [variable, Buffer.from(value, "base64").toString("utf8")];
				}),
			),
		]),
	);
}

/** Secrets of the development overlay that hold other variables than are documented. */
export function documentationFaults(dev: Overlay): string[] {
	const documented = documentedSecrets();
	return ofKind(dev, "Secret").flatMap(({ metadata, data = {} }) => {
		const name = plainName(metadata.name);
		const has = sorted(Object.keys(data));
		const should = sorted(documented.get(name) ?? []);
		return has === should ? [] : [`${name} has ${has}; documented: ${should}`];
	});
}

function expand(who: string): string[] {
	const services = Object.keys(serviceSettings);
	if (who.includes("each service")) return services;
	const names = [...who.matchAll(WORD)].flatMap(([, quoted, bare = ""]) =>
		quoted === undefined
			? [bare]
			: services.map((service) => quoted.replace("<service>", service)),
	);
	return [...new Set(names)];
}

function sorted(names: readonly string[]): string {
	return names.toSorted((one, other) => one.localeCompare(other)).join();
}
