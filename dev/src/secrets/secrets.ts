import { randomBytes } from "node:crypto";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { type ServiceName, serviceNames } from "../start/system.ts";

export type DatabaseRole = ServiceName | "bus";

/** Everything secret of one data folder, made once. Rings are in the form of the services' settings. */
export interface Secrets {
	readonly apiKeyPeppers: string;
	/** Of the webhooks service; no two services can open each other's ciphertexts. */
	readonly encryptionKeys: string;
	readonly accountsEncryptionKeys: string;
	readonly messagingEncryptionKeys: string;
	readonly whatsappEncryptionKeys: string;
	readonly whatsapp: Readonly<
		Record<"appSecret" | "verifyToken" | "accessToken", string>
	>;
	readonly cursorKeys: string;
	readonly postgresPassword: string;
	readonly rolePasswords: Readonly<Record<DatabaseRole, string>>;
	readonly demo: {
		/** Identifier of the demo organization's first grant: given twice, it counts once. */
		readonly grantId: string;
		/** Absent until the key is issued. */
		readonly apiKey?: string;
	};
}

const KEY_BYTES = 32;
const PASSWORD_BYTES = 24;

export function generateSecrets(): Secrets {
	const passwordFor = (role: DatabaseRole) => [role, generatePassword()];
	const rolePasswords = Object.fromEntries(
		[...serviceNames, "bus" as const].map(passwordFor),
	) as Secrets["rolePasswords"];
	return {
		apiKeyPeppers: generateRing(),
		encryptionKeys: generateRing(),
		accountsEncryptionKeys: generateRing(),
		messagingEncryptionKeys: generateRing(),
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
