import { randomBytes } from "node:crypto";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { serviceNames } from "../start/system.ts";
import type { DatabaseRole, Secrets } from "./secrets.ts";

const KEY_BYTES = 32;
const PASSWORD_BYTES = 24;

export function generateSecrets(): Secrets {
	const passwordFor = (role: DatabaseRole) => [role, generatePassword()];
	const rolePasswords = Object.fromEntries(
		[...serviceNames, "bus" as const].map(passwordFor),
	) as Secrets["rolePasswords"];
	return {
		callerTokenKeys: generateRing(),
		apiKeyPeppers: generateRing(),
		encryptionKeys: generateRing(),
		accountsEncryptionKeys: generateRing(),
		whatsappEncryptionKeys: generateRing(),
		whatsapp: {
			appSecret: generatePassword(),
			verifyToken: generatePassword(),
			accessToken: generatePassword(),
		},
		cursorKeys: generateRing(),
		postgresPassword: generatePassword(),
		rolePasswords,
		demo: { grantId: uuidv7() },
	};
}

function generateRing(): string {
	return `k1:${randomBytes(KEY_BYTES).toString("base64")}`;
}

function generatePassword(): string {
	return randomBytes(PASSWORD_BYTES).toString("base64url");
}
