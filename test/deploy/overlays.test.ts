import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { connectionFaults } from "./checks/connections.ts";
import { imageFaults } from "./checks/images.ts";
import { networkFaults } from "./checks/network.ts";
import { operatorPodFaults } from "./checks/operator-pods.ts";
import { podFaults } from "./checks/pods.ts";
import { probeFaults } from "./checks/probes.ts";
import { referenceFaults } from "./checks/references.ts";
import { scalingFaults } from "./checks/scaling.ts";
import { selectorFaults } from "./checks/selectors.ts";
import { migrationFaults, serverFaults } from "./checks/servers.ts";
import { variableFaults } from "./checks/variables.ts";
import { schemaFaults } from "./definitions.ts";
import { documentationFaults, storeFrom } from "./documented-secrets.ts";
import { canRender, render } from "./kustomize.ts";
import { type Overlay, ofKind } from "./manifest.ts";
import type { Secrets } from "./secrets.ts";

const NAMES = ["dev", "staging", "production"] as const;
const { version } = JSON.parse(
	readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
) as { version: string };

describe.skipIf(!(await canRender()))("the overlays of deploy/k8s", () => {
	const overlays = new Map<string, Overlay>();
	let store: Secrets;
	const overlay = (name: string) => overlays.get(name) ?? [];

	beforeAll(async () => {
		for (const name of NAMES)
			overlays.set(name, await render(`overlays/${name}`));
		store = storeFrom(overlay("dev"));
	});

	describe.each(NAMES)("%s", (name) => {
		test("has only fields that the API server knows, with values that it takes", () => {
			expect(overlay(name).length).toBeGreaterThan(50);
			expect(overlay(name).flatMap(schemaFaults)).toEqual([]);
		});

		test("selects exactly the pods that are meant", () => {
			expect(selectorFaults(overlay(name))).toEqual([]);
		});

		test("gives pods no right that they do not need, bounds, and time to drain", () => {
			expect(podFaults(overlay(name), store)).toEqual([]);
		});

		test("probes what is there", () => {
			expect(probeFaults(overlay(name))).toEqual([]);
		});

		test("refers to secrets and config maps that exactly one makes", () => {
			expect(referenceFaults(overlay(name), store)).toEqual([]);
		});

		test("gives each program the settings that it needs, and no variable that it does not read", () => {
			expect(variableFaults(overlay(name), store)).toEqual([]);
		});

		test("runs one version of one image", () => {
			expect(imageFaults(overlay(name), version)).toEqual([]);
		});

		test("migrates each service's schema as its owner, whom no deployment knows", () => {
			expect(migrationFaults(overlay(name))).toEqual([]);
		});
	});

	describe.each(["staging", "production"])("%s", (name) => {
		test("lets services call exactly those that they have the address of", () => {
			expect(networkFaults(overlay(name), store)).toEqual([]);
		});

		test("has as many connections of PostgreSQL as its pods may open together", () => {
			expect(connectionFaults(overlay(name), store)).toEqual([]);
		});

		test("has the operators make only pods that its namespace takes", () => {
			expect(operatorPodFaults(overlay(name))).toEqual([]);
		});

		test("has a schema, roles and a Kafka user for each service, and the contracts' topics", () => {
			expect(serverFaults(overlay(name))).toEqual([]);
		});
	});

	test("production grows by what it can, and never below three", () => {
		expect(scalingFaults(overlay("production"))).toEqual([]);
	});

	test("the runbook calls the migration jobs by their names", () => {
		const runbook = readFileSync(
			new URL("../../deploy/k8s/RUNBOOK.md", import.meta.url),
			"utf8",
		);
		const named = runbook.match(/(?<=job[ /])<service>[-\w<>]*/g) ?? [];
		const jobs = ofKind(overlay("production"), "Job");
		for (const { metadata } of jobs) {
			const [service = ""] = metadata.name.split("-");
			const said = named.map((name) =>
				name.replace("<service>", service).replace("<version>", version),
			);
			expect(new Set(said)).toEqual(new Set([metadata.name]));
		}
		expect(jobs.length).toBeGreaterThan(0);
	});

	test("the README names every variable of the secrets", () => {
		expect(documentationFaults(overlay("dev"))).toEqual([]);
	});
});
