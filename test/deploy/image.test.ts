import {
	mkdir,
	mkdtemp,
	readdir,
	readFile,
	rm,
	writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "@airtower/dev/kubernetes/shell";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serviceSettings } from "./settings.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const dockerfile = await readFile(join(root, "deploy/Dockerfile"), "utf8");
const [, product = ""] = dockerfile.split(" AS product\n");
const [stage = ""] = product.split("\nFROM ");

describe("deploy/Dockerfile", () => {
	test("builds on a base that is an argument with a version", () => {
		const [, base = ""] = /^ARG BASE=(.+)$/m.exec(dockerfile) ?? [];
		expect(base).toMatch(/:\d[\w.-]*$/);
		const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(
			([, name = ""]) => name.replace(/[${}]/g, ""),
		);
		expect(bases).toEqual(["BASE", "BASE", "scratch", "product", "product"]);
	});

	test("leaves nothing of the base's programs in the image, and runs as a user who is a number", () => {
		expect(dockerfile).toContain("\nFROM scratch AS product\n");
		expect(stage).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
		expect(stage).toMatch(/^STOPSIGNAL SIGTERM$/m);
		expect(stage).toMatch(/^ENTRYPOINT \["\/usr\/local\/bin\/node"\]$/m);
	});

	test("says what the image is, of the version of the product", async () => {
		const { version } = JSON.parse(
			await readFile(join(root, "package.json"), "utf8"),
		) as { version: string };
		expect(stage).toContain(`ARG VERSION=${version}\n`);
		for (const label of ["title", "description", "version"])
			expect(stage).toContain(`org.opencontainers.image.${label}=`);
	});

	test("installs production packages of every service", () => {
		expect(dockerfile).toContain("npm ci --omit=dev ");
		for (const service of Object.keys(serviceSettings)) {
			expect(dockerfile).toContain(`COPY services/${service}/package.json `);
			expect(dockerfile).toContain(`-w services/${service}`);
		}
	});
});

describe("the image's list of packages", () => {
	let dir: string;
	const file = (path: string, content: object) =>
		mkdir(dirname(join(dir, path)), { recursive: true }).then(() =>
			writeFile(join(dir, path), JSON.stringify(content)),
		);

	beforeAll(async () => {
		dir = await mkdtemp(join(tmpdir(), "airtower-packages-"));
		await file("package.json", { name: "all", version: "1.0.0" });
		await file("services/one/package.json", {
			name: "@a/one",
			version: "1.0.0",
		});
		await file("node_modules/x/package.json", {
			name: "x",
			version: "2.0.0",
			license: "MIT",
		});
		await file("node_modules/x/test/package.json", {
			name: "fixture",
			version: "0.0.0",
		});
		await file("node_modules/@s/y/node_modules/x/package.json", {
			name: "x",
			version: "1.0.0",
		});
		await file("node_modules/@s/y/package.json", {
			name: "@s/y",
			version: "3.0.0",
		});
	});
	afterAll(() => rm(dir, { recursive: true }));

	test("has each that is installed, at each version, once, and Node", async () => {
		const bom = await listOf(dir, "node@v26.10.0");
		expect(
			bom.components
				.map(({ purl }) => purl)
				.toSorted((a, b) => a.localeCompare(b)),
		).toEqual([
			"pkg:npm/%40a/one@1.0.0",
			"pkg:npm/%40s/y@3.0.0",
			"pkg:npm/all@1.0.0",
			"pkg:npm/node@26.10.0",
			"pkg:npm/x@1.0.0",
			"pkg:npm/x@2.0.0",
		]);
		expect(
			bom.components.find(({ purl }) => purl.endsWith("x@2.0.0"))?.licenses,
		).toEqual([{ license: { name: "MIT" } }]);
	});

	test("has all of this repository's", async () => {
		const { components } = await listOf(join(root, "node_modules"));
		const names = new Set(components.map(({ name }) => name));
		const installed = await readdir(join(root, "node_modules/@fastify"));
		for (const name of installed) expect(names).toContain(`@fastify/${name}`);
	});
});

async function listOf(...args: string[]) {
	const script = join(root, "deploy/write-sbom.mjs");
	return JSON.parse(await run(process.execPath, [script, ...args])) as {
		components: { name: string; purl: string; licenses?: object[] }[];
	};
}
