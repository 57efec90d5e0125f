import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { schemaFaults } from "./definitions.ts";
import { canRender, render } from "./kustomize.ts";
import { type Manifest, type Overlay, ofKind } from "./manifest.ts";
import { serviceWorkloads } from "./workload.ts";

const FOLDER = fileURLToPath(new URL("../../deploy/k8s/", import.meta.url));

interface Deployment {
	readonly template: {
		readonly spec: {
			readonly topologySpreadConstraints: readonly {
				readonly whenUnsatisfiable: string;
			}[];
			readonly containers: readonly {
				readonly env?: readonly { readonly name: string }[];
			}[];
		};
	};
}
interface Annotated extends Manifest<Deployment> {
	readonly metadata: Manifest["metadata"] & {
		readonly annotations?: Readonly<Record<string, string>>;
	};
}

/** The development overlay with a component that no overlay has. */
async function renderWith(component: string): Promise<Overlay> {
	const folder = await mkdtemp(join(tmpdir(), "airtower-component-"));
	onTestFinished(() => rm(folder, { recursive: true }));
	const path = (name: string) => relative(folder, join(FOLDER, name));
	const kustomization = {
		resources: [path("overlays/dev")],
		components: [path(`components/${component}`)],
	};
	await writeFile(
		join(folder, "kustomization.yaml"),
		JSON.stringify(kustomization),
	);
	const overlay = await render(relative(FOLDER, folder));
	expect(overlay.flatMap(schemaFaults)).toEqual([]);
	return overlay;
}

/** The deployments of our services. */
async function servicesWith(component: string): Promise<Annotated[]> {
	const overlay = await renderWith(component);
	const names = serviceWorkloads(overlay).map(({ name }) => name);
	expect(names).toHaveLength(7);
	return ofKind<Deployment>(overlay, "Deployment").filter(({ metadata }) =>
		names.some((name) => name.endsWith(metadata.name)),
	);
}

describe.skipIf(!(await canRender()))("a component that is added", () => {
	test("hard-spread keeps pods of a service apart", async () => {
		for (const { spec } of await servicesWith("hard-spread"))
			expect(
				spec.template.spec.topologySpreadConstraints.map(
					({ whenUnsatisfiable }) => whenUnsatisfiable,
				),
			).toEqual(["DoNotSchedule", "DoNotSchedule"]);
	});

	test("restart-on-change has a change of secrets restart each service", async () => {
		for (const { metadata } of await servicesWith("restart-on-change"))
			expect(metadata.annotations).toMatchObject({
				"secret.reloader.stakater.com/auto": "true",
			});
	});

	test("tracing has each span say of which pod it is, and keeps the variables that are there", async () => {
		const before = await servicesWith("hard-spread");
		for (const [at, { spec }] of (await servicesWith("tracing")).entries()) {
			const names = (of: Deployment | undefined) =>
				of?.template.spec.containers[0]?.env?.map(({ name }) => name) ?? [];
			expect(names(spec).toSorted()).toEqual(
				[
					...names(before[at]?.spec),
					"OTEL_RESOURCE_ATTRIBUTES",
					"POD_NAME",
				].toSorted(),
			);
		}
	});
});
