import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
	buildContracts,
	compareContracts,
} from "@airtower/dev/release/contracts";
import { afterAll, beforeAll, expect, test } from "vitest";

const PROTO = fileURLToPath(new URL("../../proto/", import.meta.url));
const OUTCOME = "airtower/common/v1/message_outcome.proto";
const SMS = "airtower/messaging/v1/messaging.proto";

let folder: string;
let image: string;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "airtower-contracts-"));
	image = join(folder, "released.binpb.gz");
	await buildContracts(image);
});
afterAll(() => rm(folder, { recursive: true }));

/** What the comparison finds in contracts of which one file differs. */
async function compareWith(
	file: string,
	change: (text: string) => string,
): Promise<string> {
	const proto = await mkdtemp(join(folder, "changed-"));
	for (const name of ["airtower", "buf", "grpc", "buf.yaml"])
		await cp(join(PROTO, name), join(proto, name), { recursive: true });
	const before = await readFile(join(proto, file), "utf8");
	const after = change(before);
	expect(after).not.toBe(before);
	await writeFile(join(proto, file), after);
	return (await compareContracts(image, proto)).join("\n");
}

const field = /^ {2}(?:optional )?[\w.]+ (\w+) = (\d+).*;$/m;

test("a field that is removed from an event is refused, by its name", async () => {
	const name = field.exec(await readFile(join(PROTO, OUTCOME), "utf8"))?.[1];
	const found = await compareWith(OUTCOME, (text) => text.replace(field, ""));
	expect(found).toContain(OUTCOME);
	expect(found).toMatch(new RegExp(`field "\\d+".*"${name}"`));
});

test("a method that is removed is refused", async () => {
	const found = await compareWith(SMS, (text) =>
		text.replace(/^ {2}rpc \w+\(.*\)( \{\n(.*\n)*? {2}\}|;)\n/m, ""),
	);
	expect(found).toMatch(/RPC "\w+" on service "\w+" was deleted/);
});

test("a number that is used again for another type is refused", async () => {
	const found = await compareWith(OUTCOME, (text) =>
		text.replace(field, "  repeated double measured = $2;"),
	);
	expect(found).toMatch(/changed/);
});

test("a field that is added is allowed", async () => {
	const found = await compareWith(OUTCOME, (text) =>
		text.replace(field, "$&\n  string added = 999;"),
	);
	expect(found).toBe("");
});
