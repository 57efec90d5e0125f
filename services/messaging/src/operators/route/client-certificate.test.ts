import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeCertificate } from "@airtower/platform/rpc/testing/certificate";
import { afterAll, expect, test } from "vitest";
import { BadRoute } from "./bad-route.ts";
import { parseRouteSettings } from "./route-settings.ts";

const dir = mkdtempSync(join(tmpdir(), "client-certificate-"));
afterAll(() => rmSync(dir, { recursive: true }));

function file(name: string, text: string): string {
	const path = join(dir, name);
	writeFileSync(path, text);
	return path;
}

const own = makeCertificate("airtower");
const cert = file("own.crt", own.cert);
const key = file("own.key", own.key);
const otherKey = file("other.key", makeCertificate("other").key);
const nonsense = file("nonsense.pem", "nonsense");
const SETTINGS = { address: "smpps://acme@smsc.example", password: "secret" };

test("a certificate and its key are read", () => {
	const settings = { ...SETTINGS, cert, key };
	expect(parseRouteSettings("eu", settings)).toMatchObject({ cert, key });
});

test.each([
	["key", { cert }, /is missing beside "cert"/],
	["key", { key }, /is of no use without "cert"/],
	["key", { cert, key: otherKey }, /must be the key of the certificate/],
	["key", { cert, key: nonsense }, /with a private key/],
	["key", { cert, key: join(dir, "none") }, /file that can be read/],
	["cert", { cert: nonsense, key }, /with a certificate/],
	["cert", { cert: dir, key }, /with a certificate/],
	["cert", { address: "smpp://acme@smsc.example", cert, key }, /needs smpps/],
])("%s is refused by its name: %j", (setting, change, message) => {
	expect.assertions(2);
	try {
		parseRouteSettings("eu", { ...SETTINGS, ...change });
	} catch (error) {
		expect(error).toBeInstanceOf(BadRoute);
		expect(error).toMatchObject({
			setting,
			message: expect.stringMatching(message),
		});
	}
});
