import type { Secrets } from "../secrets/secrets.ts";
import { serviceNames } from "../start/system.ts";

/** Of a service whose schema belongs to another role than the service's own. */
interface RolePasswords {
	readonly owner: Readonly<Record<string, string>>;
	readonly own: Readonly<Record<string, string>>;
}

const SIMULATED_SMSC = "smpp://airtower:simulate@smsc:2775?code=simulator";
const SIMULATED_CLOUD_API = "http://cloud-api:8080";

/** The files of `deploy/compose.yaml` by name: variables of each container, and the roles of PostgreSQL. */
export function secretFiles(
	secrets: Secrets,
	passwords: RolePasswords,
): Record<string, string> {
	const services = serviceNames.flatMap((service) => {
		const own = databaseUrl(service, passwords.own[service]);
		const owner = databaseUrl(`${service}_owner`, passwords.owner[service]);
		return [
			[
				`${service}.env`,
				variables({ DATABASE_URL: own, ...ownVariables(secrets)[service] }),
			],
			[`${service}-owner.env`, variables({ DATABASE_URL: owner })],
		];
	});
	const { appSecret, accessToken } = secrets.whatsapp;
	return {
		...Object.fromEntries(services),
		"cloud-api.env": variables({
			APP_SECRET: appSecret,
			ACCESS_TOKEN: accessToken,
		}),
		"postgres.env": variables({
			POSTGRES_DB: "airtower",
			POSTGRES_PASSWORD: secrets.postgresPassword,
		}),
		"roles.sql": rolesSql(passwords),
	};
}

function ownVariables(
	secrets: Secrets,
): Readonly<Record<string, Record<string, string>>> {
	return {
		accounts: {
			API_KEY_PEPPERS: secrets.apiKeyPeppers,
			ENCRYPTION_KEYS: secrets.accountsEncryptionKeys,
		},
		messaging: {
			ENCRYPTION_KEYS: secrets.messagingEncryptionKeys,
			SMPP_ROUTE_URL: SIMULATED_SMSC,
		},
		whatsapp: {
			ENCRYPTION_KEYS: secrets.whatsappEncryptionKeys,
			WHATSAPP_APP_SECRET: secrets.whatsapp.appSecret,
			WHATSAPP_VERIFY_TOKEN: secrets.whatsapp.verifyToken,
			WHATSAPP_API_BASE_URL: SIMULATED_CLOUD_API,
		},
		webhooks: { ENCRYPTION_KEYS: secrets.encryptionKeys },
		gateway: { CURSOR_KEYS: secrets.cursorKeys },
	};
}

/** A role that owns each schema, for its migrations, and one that only uses it. */
function rolesSql({ own, owner }: RolePasswords): string {
	return serviceNames
		.flatMap((service) => [
			`create role ${service}_owner login password '${owner[service]}';`,
			`create role ${service} login password '${own[service]}';`,
			`create schema ${service} authorization ${service}_owner;`,
		])
		.join("\n")
		.concat("\n");
}

function databaseUrl(role: string, password = ""): string {
	return `postgres://${role}:${password}@postgres/airtower`;
}

function variables(values: Readonly<Record<string, string>>): string {
	const lines = Object.entries(values).map(([key, value]) => `${key}=${value}`);
	return `${lines.join("\n")}\n`;
}
