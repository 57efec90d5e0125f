import { readdir, readFile } from "node:fs/promises";

const MONITORING = new URL(
	"../../deploy/k8s/components/monitoring/",
	import.meta.url,
);

/** The groups of rules as Prometheus reads them: what stands under `spec` for its operator. */
export async function readRules(): Promise<string> {
	const text = await readFile(new URL("rules.yaml", MONITORING), "utf8");
	const spec = text.slice(text.indexOf("\nspec:\n") + "\nspec:\n".length);
	return spec.replaceAll(/^ {2}/gm, "");
}

/** The text of each dashboard by the name of its file. */
export async function readDashboards(): Promise<Map<string, string>> {
	const folder = new URL("dashboards/", MONITORING);
	const names = (await readdir(folder)).toSorted();
	const texts = names.map((name) => readFile(new URL(name, folder), "utf8"));
	return new Map(
		(await Promise.all(texts)).map((text, index) => [names[index] ?? "", text]),
	);
}

/** Every expression of the rules and the dashboards. */
export async function readExpressions(): Promise<string[]> {
	const rules = (await readRules()).matchAll(
		/^ +expr: (?:\|\n((?:^ {10}.*\n)+)|(.*))/gm,
	);
	const dashboards = (await readDashboards()).values();
	const panels = dashboards.flatMap((text) => text.matchAll(/"expr": (".*")/g));
	return [
		...[...rules].map(([, block, line]) => block ?? line ?? ""),
		...[...panels].map(([, quoted = '""']) => JSON.parse(quoted) as string),
	];
}

/** The names of the metrics in an expression, our recorded ones left out: they are defined in the rules. */
export function metricNames(expression: string): string[] {
	const bare = expression
		.replaceAll(/"[^"]*"/g, "")
		.replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, "")
		.replaceAll(/\b(by|on|without|ignoring) \([^)]*\)/g, "");
	const words = bare.match(/[a-zA-Z_:][\w:]*(?![\w:]* ?\()/g) ?? [];
	return words.filter(
		(word) => !/^(and|or|unless|by|sum|max|min|group)$/.test(word),
	);
}
