import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { schemaFaults } from "./definitions.ts";
import { documentedSecrets } from "./documented-secrets.ts";
import { canRender, render } from "./kustomize.ts";
import { ofKind } from "./manifest.ts";

const FOLDER = fileURLToPath(new URL("../../deploy/k8s/", import.meta.url));
/** The plugin's own kind: `dev/kubernetes` does not have its definition. */
const UNDEFINED = "ObjectStore";

type Key = { readonly name: string; readonly key: string };
interface Store {
	readonly configuration: {
		readonly s3Credentials: Readonly<Record<string, Key>>;
	};
}
interface Cluster {
	readonly plugins: readonly {
		readonly name: string;
		readonly isWALArchiver: boolean;
		readonly parameters: { readonly barmanObjectName: string };
	}[];
}
interface Schedule {
	readonly cluster: { readonly name: string };
	readonly pluginConfiguration: { readonly name: string };
}

/** PostgreSQL's cluster with the component, which no overlay has yet. */
async function renderBackup() {
	const folder = await mkdtemp(join(tmpdir(), "airtower-backup-"));
	onTestFinished(() => rm(folder, { recursive: true }));
	const path = (name: string) => relative(folder, join(FOLDER, name));
	const kustomization = {
		resources: [path("dependencies/postgres")],
		components: [path("components/backup")],
	};
	await writeFile(
		join(folder, "kustomization.yaml"),
		JSON.stringify(kustomization),
	);
	return render(relative(FOLDER, folder));
}

test.skipIf(!(await canRender()))(
	"the component for backups has the cluster keep its log and a base backup a day in one store",
	async () => {
		const overlay = await renderBackup();
		const defined = overlay.filter(({ kind }) => kind !== UNDEFINED);
		expect(defined.flatMap(schemaFaults)).toEqual([]);
		const [cluster] = ofKind<Cluster>(overlay, "Cluster");
		const [schedule] = ofKind<Schedule>(overlay, "ScheduledBackup");
		const [store] = ofKind<Store>(overlay, UNDEFINED);
		const [plugin] = cluster?.spec.plugins ?? [];
		expect(plugin?.isWALArchiver).toBe(true);
		expect(plugin?.parameters.barmanObjectName).toBe(store?.metadata.name);
		expect(schedule?.spec.cluster.name).toBe(cluster?.metadata.name);
		expect(schedule?.spec.pluginConfiguration.name).toBe(plugin?.name);
		const documented = documentedSecrets();
		const keys = Object.values(store?.spec.configuration.s3Credentials ?? {});
		expect(keys.length).toBe(2);
		for (const { name, key } of keys)
			expect(documented.get(name)).toContain(key);
	},
);
