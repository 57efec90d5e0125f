import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Fails when the checked-in protobuf code is not what the contracts generate now. */
const proto = fileURLToPath(new URL("../../proto", import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "airtower-generated-"));

try {
	execFileSync("buf", ["generate", "--output", scratch], {
		cwd: proto,
		stdio: ["ignore", "ignore", "inherit"],
	});
	const stale = differences(join(proto, "gen"), join(scratch, "gen"));
	if (stale.length > 0) {
		process.stderr.write(
			`Generated code is not current (${stale.join(", ")}); run npm run generate.\n`,
		);
		process.exitCode = 1;
	}
} finally {
	rmSync(scratch, { recursive: true, force: true });
}

function differences(checkedIn: string, fresh: string): string[] {
	const [before, after] = [readTree(checkedIn), readTree(fresh)];
	const names = new Set([...before.keys(), ...after.keys()]);
	return [...names].filter((name) => before.get(name) !== after.get(name));
}

function readTree(root: string): Map<string, string> {
	const files = readdirSync(root, { recursive: true, withFileTypes: true });
	return new Map(
		files
			.filter((file) => file.isFile())
			.map((file) => join(file.parentPath, file.name))
			.map((path) => [path.slice(root.length + 1), readFileSync(path, "utf8")]),
	);
}
