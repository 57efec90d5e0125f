import { generateKeyPairSync, sign } from "node:crypto";

/** A certificate that is its own authority, valid for its addresses and names; PEM. */
export interface TestCertificate {
	readonly cert: string;
	readonly key: string;
}

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT_ID = 0x06;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
/** Context tags 0 and 3 of a certificate: its version and its extensions (RFC 5280, 4.1). */
const VERSION = 0xa0;
const EXTENSIONS = 0xa3;
const LOOPBACK = [127, 0, 0, 1];
/** Context tags 2 and 7 of a subject alternative name: a host name, an IP address. */
const DNS_NAME = 0x82;
const IP_ADDRESS = 0x87;

const ECDSA_WITH_SHA256 = der(SEQUENCE, oid("2a8648ce3d040302"));
const COMMON_NAME = oid("550403");
const SUBJECT_ALT_NAME = oid("551d11");
const DAY_MS = 86_400_000;

/** Makes a self-signed X.509 certificate (RFC 5280) with a new P-256 key, valid from yesterday, for `days` from now. */
export function makeCertificate(
	name: string,
	hosts: readonly string[] = [],
	addresses: readonly (readonly number[])[] = [LOOPBACK],
	days = 1,
): TestCertificate {
	const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
	const body = certificateBody(
		name,
		{ altNames: subjectAltNames(hosts, addresses), days },
		keys.publicKey.export({ type: "spki", format: "der" }),
	);
	const signature = sign("sha256", body, keys.privateKey);
	const whole = der(
		SEQUENCE,
		body,
		ECDSA_WITH_SHA256,
		der(BIT_STRING, Buffer.from([0]), signature),
	);
	const key = keys.privateKey.export({ type: "pkcs8", format: "pem" });
	return { cert: pem(whole), key: key.toString() };
}

function certificateBody(
	name: string,
	{ altNames, days }: { readonly altNames: Buffer; readonly days: number },
	publicKey: Buffer,
): Buffer {
	const who = der(
		SEQUENCE,
		der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8_STRING, Buffer.from(name)))),
	);
	return der(
		SEQUENCE,
		der(VERSION, der(INTEGER, Buffer.from([2]))),
		der(INTEGER, Buffer.from([1])),
		ECDSA_WITH_SHA256,
		who,
		der(
			SEQUENCE,
			utcTime(Date.now() - DAY_MS),
			utcTime(Date.now() + days * DAY_MS),
		),
		who,
		publicKey,
		der(EXTENSIONS, der(SEQUENCE, altNames)),
	);
}

function subjectAltNames(
	hosts: readonly string[],
	addresses: readonly (readonly number[])[],
): Buffer {
	const names = der(
		SEQUENCE,
		...addresses.map((address) => der(IP_ADDRESS, Buffer.from(address))),
		...hosts.map((host) => der(DNS_NAME, Buffer.from(host))),
	);
	return der(SEQUENCE, SUBJECT_ALT_NAME, der(OCTET_STRING, names));
}

/** One DER element: tag, length, contents (X.690). */
function der(tag: number, ...contents: Buffer[]): Buffer {
	const content = Buffer.concat(contents);
	const { length } = content;
	return Buffer.concat([Buffer.from([tag, ...lengthOctets(length)]), content]);
}

function lengthOctets(length: number): number[] {
	if (length < 0x80) return [length];
	if (length < 0x100) return [0x81, length];
	return [0x82, length >> 8, length & 0xff];
}

function oid(hex: string): Buffer {
	return der(OBJECT_ID, Buffer.from(hex, "hex"));
}

function utcTime(ms: number): Buffer {
	const digits = new Date(ms).toISOString().replace(/\D/g, "").slice(2, 14);
	return der(UTC_TIME, Buffer.from(`${digits}Z`));
}

function pem(bytes: Buffer): string {
	const lines = bytes.toString("base64").replace(/.{64}/g, "$&\n");
	return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}
