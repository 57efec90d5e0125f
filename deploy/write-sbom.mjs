// Prints which packages a folder holds, as CycloneDX: what is there, and not what a lock file of workspaces says.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** An installed package's own folder; within it others may hold files of that name. */
const OWN_FOLDER = /(^|\/)node_modules\/(@[^/]+\/)?[^/@]+$/;
const [folder = ".", ...others] = process.argv.slice(2);

const components = [...packagesIn(folder), ...others.map(parseOther)]
	.map(({ name, version, license }) => ({
		type: "library",
		"bom-ref": `${name}@${version}`,
		name,
		version,
		purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
		...(license && { licenses: [{ license: { name: license } }] }),
	}))
	.filter(
		(one, index, all) =>
			all.findIndex((other) => other["bom-ref"] === one["bom-ref"]) === index,
	);
process.stdout.write(
	`${JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.6", version: 1, components })}\n`,
);

/** Every installed package, and the workspaces; a link leads to one that is found where it stands. */
function* packagesIn(path) {
	const entries = readdirSync(path, { withFileTypes: true });
	const isPackage = entries.some(({ name }) => name === "package.json");
	const isOwn = OWN_FOLDER.test(path) || !path.includes("node_modules/");
	if (isPackage && isOwn) {
		const { name, version, license } = JSON.parse(
			readFileSync(join(path, "package.json"), "utf8"),
		);
		if (name && version) yield { name, version, license };
	}
	for (const entry of entries)
		if (entry.isDirectory()) yield* packagesIn(join(path, entry.name));
}

function parseOther(text) {
	const [, name, version] = /^(.+)@v?([^@]+)$/.exec(text) ?? [];
	return { name, version, license: undefined };
}
