import { createPublicKey, type KeyObject } from "node:crypto";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { ConfigError } from "../runtime/config.ts";
import type { Logger } from "../runtime/log.ts";
import { runLoop } from "../runtime/loop.ts";
import { parseJwk, trustedJwk } from "./jwk.ts";
import type { SigningKey } from "./signing-key.ts";

/** A file is read so often, ms: Kubernetes replaces the folder around it, which a watch on the file does not see. */
const READ_EVERY_MS = 2_000;

export interface TrustedKey {
	readonly issuer: string;
	readonly publicKey: KeyObject;
	/** The organizations that a team may act for; undefined: all of them. */
	readonly organizations: readonly string[] | undefined;
}

/** Keys by their identifiers. A changed file gives another map. */
export type TrustedKeys = ReadonlyMap<string, TrustedKey>;

export interface TrustedKeysFile {
	/** The keys that the file has now. */
	current(): TrustedKeys;
	close(): Promise<void>;
}

const keySet = z.object({ keys: z.array(trustedJwk) });

/** Reads a JWK set (RFC 7517) whose keys name their issuers. @throws Error with what is wrong */
export function parseTrustedKeys(text: string): TrustedKeys {
	const { keys } = parseJwk(keySet, text);
	const byId = new Map(
		keys.map(({ kid, iss: issuer, organizations, d: _, ...key }) => {
			const publicKey = createPublicKey({ key, format: "jwk" });
			return [kid, { issuer, publicKey, organizations }];
		}),
	);
	if (byId.size !== keys.length) throw new Error("two keys have the same kid");
	return byId;
}

/**
 * Reads the file and follows its changes; one that cannot be used is logged, and the keys before it stay.
 * @param own the key with which the service itself signs
 * @throws ConfigError when the file cannot be used at the start, or nobody would trust the service
 */
export async function openTrustedKeys(
	path: string,
	own: SigningKey,
	log: Logger,
	readEveryMs = READ_EVERY_MS,
): Promise<TrustedKeysFile> {
	let seen = await readText(path);
	let keys = parseSetting(seen);
	assertTrusted(own, keys);
	const stop = new AbortController();
	const { done } = runLoop({
		name: "trusted-keys",
		intervalMs: readEveryMs,
		signal: stop.signal,
		log,
		runOnce: async () => {
			const text = await readText(path);
			if (text === seen) return 0;
			seen = text;
			try {
				keys = parseTrustedKeys(text);
				log.info({ kids: [...keys.keys()] }, "the trusted keys changed");
			} catch (err) {
				log.error(
					{ err },
					"new trusted keys cannot be used; the old ones stay",
				);
			}
			return 0;
		},
	});
	return {
		current: () => keys,
		async close() {
			stop.abort();
			await done;
		},
	};
}

function assertTrusted(key: SigningKey, trusted: TrustedKeys): void {
	const found = trusted.get(key.id);
	const isSame =
		found?.issuer === key.issuer &&
		createPublicKey(key.privateKey).equals(found.publicKey);
	if (isSame) return;
	throw new ConfigError(
		`IDENTITY_KEY_FILE: TRUSTED_KEYS_FILE has no such key "${key.id}" of "${key.issuer}".`,
	);
}

/** Empty for a file that cannot be read, which is then refused as a broken one is. */
function readText(path: string): Promise<string> {
	return readFile(path, "utf8").catch(() => "");
}

function parseSetting(text: string): TrustedKeys {
	try {
		if (text === "") throw new Error("it is empty or cannot be read");
		return parseTrustedKeys(text);
	} catch (error) {
		throw new ConfigError(
			`TRUSTED_KEYS_FILE must name a JWK set of Ed25519 keys with kid and iss: ${(error as Error).message}.`,
		);
	}
}
