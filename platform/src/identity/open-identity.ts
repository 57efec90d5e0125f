import type { CommonConfig } from "../runtime/config.ts";
import type { Logger } from "../runtime/log.ts";
import { createTokenSigner } from "./caller-token.ts";
import { readSigningKey } from "./signing-key.ts";
import { openTrustedKeys } from "./trusted-keys.ts";

export async function openIdentity(
	name: string,
	config: CommonConfig,
	log: Logger,
) {
	const { IDENTITY_KEY_FILE, TRUSTED_KEYS_FILE } = config;
	const key = await readSigningKey(
		"IDENTITY_KEY_FILE",
		IDENTITY_KEY_FILE,
		name,
	);
	const trustedKeys = await openTrustedKeys(TRUSTED_KEYS_FILE, key, log);
	return { signer: createTokenSigner({ key }), trustedKeys };
}
