import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import {
	campaigns,
	delivery,
	operators,
	routes,
	webhooks,
} from "./delivery-dashboards.ts";
import { toGrafana } from "./grafana.ts";
import { accept, database, kafka, overview } from "./service-dashboards.ts";

const DASHBOARDS_FOLDER = fileURLToPath(
	new URL(
		"../../../deploy/k8s/components/monitoring/dashboards/",
		import.meta.url,
	),
);

/** The text of each dashboard by the name of its file. */
export function renderDashboards(): Map<string, string> {
	const all = [
		overview,
		accept,
		delivery,
		operators,
		routes,
		webhooks,
		campaigns,
		database,
		kafka,
	];
	return new Map(
		all.map((one) => [
			`${one.name}.json`,
			`${JSON.stringify(toGrafana(one), null, "\t")}\n`,
		]),
	);
}

if (import.meta.main) {
	await mkdir(DASHBOARDS_FOLDER, { recursive: true });
	for (const [name, text] of renderDashboards())
		await writeFile(`${DASHBOARDS_FOLDER}${name}`, text);
}
