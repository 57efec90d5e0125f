import {
	adminUrl,
	type TestDatabase,
} from "@airtower/platform/testing/database";
import { identitySettings } from "@airtower/platform/testing/identities";
import { keyRingText } from "@airtower/platform/testing/keys";

/** The environment of a service on the test's database; ports are free ones unless given. */
export function settingsFor(
	database: TestDatabase,
	messagingUrl: string,
	more: Record<string, string> = {},
): Record<string, string> {
	return {
		DATABASE_URL: database.url,
		DATABASE_SCHEMA: database.schema,
		RPC_PORT: "0",
		OPS_PORT: "0",
		...identitySettings("accounts"),
		API_KEY_PEPPERS: keyRingText(),
		ENCRYPTION_KEYS: keyRingText(),
		EVENT_BUS: "postgres",
		BUS_DATABASE_URL: adminUrl(),
		LOG_LEVEL: "fatal",
		MESSAGING_RPC_URL: messagingUrl,
		...more,
	};
}
