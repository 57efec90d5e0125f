import type { RingKey } from "@airtower/platform/runtime/key-ring";
import {
	adminUrl,
	type TestDatabase,
} from "@airtower/platform/testing/database";
import { keyRingText, testKeyRing } from "@airtower/platform/testing/keys";

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
		CALLER_TOKEN_KEYS: ringText(testKeyRing.current),
		API_KEY_PEPPERS: keyRingText(),
		ENCRYPTION_KEYS: keyRingText(),
		EVENT_BUS: "postgres",
		BUS_DATABASE_URL: adminUrl(),
		LOG_LEVEL: "fatal",
		MESSAGING_RPC_URL: messagingUrl,
		...more,
	};
}

function ringText({ id, secret }: RingKey): string {
	return `${id}:${secret.toString("base64")}`;
}
