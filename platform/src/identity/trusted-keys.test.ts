import { mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ConfigError } from "../runtime/config.ts";
import { createLogger } from "../runtime/log.ts";
import { eventually } from "../testing/eventually.ts";
import { jwkSet, signingKey } from "../testing/identities.ts";
import { createKeyPair, type KeyPair } from "./key-pair.ts";
import { openTrustedKeys, parseTrustedKeys } from "./trusted-keys.ts";

const ORGANIZATION = "018f0000-0000-7000-8000-00000000ABCD";
const own = createKeyPair("gateway");
const other = createKeyPair("accounts");
const [key, otherKey] = [own.trustedKey, other.trustedKey];
const team = createKeyPair("team:billing", [ORGANIZATION]).trustedKey;

async function newFile(text: string) {
	const dir = await mkdtemp(join(tmpdir(), "trusted-keys-"));
	onTestFinished(() => rm(dir, { recursive: true }));
	const path = join(dir, "keys.json");
	await writeFile(path, text);
	return { dir, path };
}

async function open(path: string, lines: object[] = []) {
	const write = (line: string) => lines.push(JSON.parse(line));
	const log = createLogger({
		service: "test",
		level: "info",
		destination: { write },
	});
	const file = await openTrustedKeys(path, signingKey(own), log, 10);
	onTestFinished(file.close);
	return file;
}

test("an added key counts and a removed one does not, as Kubernetes swaps files: by another symlink", async () => {
	const { dir, path } = await newFile(jwkSet([own, other]));
	const link = async (name: string, pairs: KeyPair[]) => {
		await writeFile(join(dir, name), jwkSet(pairs));
		await symlink(join(dir, name), join(dir, "next"));
		await rename(join(dir, "next"), path);
	};
	const { current } = await open(path);
	const added = createKeyPair("webhooks");
	await link("v2", [own, added]);
	await eventually(() =>
		expect([...current().keys()]).toEqual([key.kid, added.trustedKey.kid]),
	);
	await link("v3", [own]);
	await eventually(() => expect([...current().keys()]).toEqual([key.kid]));
});

test.each(["{", ""])(
	"a new file %j that cannot be used leaves the old keys and one line in the log",
	async (broken) => {
		const { path } = await newFile(jwkSet([own, other]));
		const lines: { level?: string; msg?: string }[] = [];
		const { current } = await open(path, lines);
		const replace = async (text: string) => {
			await writeFile(`${path}.new`, text);
			await rename(`${path}.new`, path);
		};
		await replace(broken);
		await eventually(() => expect(lines).toHaveLength(1));
		expect(lines[0]).toMatchObject({ level: "error" });
		expect(current().size).toBe(2);
		await replace(jwkSet([own]));
		await eventually(() => expect(current().size).toBe(1));
		expect(lines.map(({ level }) => level)).toEqual(["error", "info"]);
	},
);

test("a service whose own key nobody would trust does not start", async () => {
	const { path } = await newFile(jwkSet([other]));
	await expect(open(path)).rejects.toThrow(ConfigError);
	const stranger = { ...createKeyPair("gateway").trustedKey, kid: key.kid };
	const same = await newFile(jwkSet([{ trustedKey: stranger }]));
	await expect(open(same.path)).rejects.toThrow(/has no such key .* "gateway"/);
	await expect(open(`${path}-none`)).rejects.toThrow(/^TRUSTED_KEYS_FILE must/);
});

test("a team's key names the only organizations that it may be used for", () => {
	const [found] = parseTrustedKeys(JSON.stringify({ keys: [team] })).values();
	expect(found).toMatchObject({
		issuer: "team:billing",
		organizations: [ORGANIZATION.toLowerCase()],
	});
});

const bad: [string, unknown[], RegExp][] = [
	["a key without an issuer", [{ ...key, iss: undefined }], /keys\.0\.iss/],
	["a key of another curve", [{ ...key, crv: "X25519" }], /keys\.0\.crv/],
	["an RSA key", [{ ...key, kty: "RSA" }], /keys\.0\.kty/],
	["a key without an identifier", [{ ...key, kid: undefined }], /kid/],
	["a private key", [own.privateKey], /keys\.0\.d: must not be here/],
	["two keys of one name", [key, { ...otherKey, kid: key.kid }], /same kid/],
	["a team without organizations", [{ ...team, organizations: [] }], /organiz/],
	[
		"a team of all",
		[{ ...team, organizations: undefined }],
		/names its organi/,
	],
	[
		"a service with some",
		[{ ...key, organizations: [ORGANIZATION] }],
		/no other/,
	],
	["an issuer that is no name", [{ ...key, iss: "team" }], /keys\.0\.iss/],
];
test.each(bad)("%s is refused in a sentence", (_what, keys, why) => {
	expect(() => parseTrustedKeys(JSON.stringify({ keys }))).toThrow(why);
});
