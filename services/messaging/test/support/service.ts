import type { RunningService } from "@airtower/platform/service/create-service";
import {
	adminUrl,
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import {
	type TestEventBus,
	testEventBus,
} from "@airtower/platform/testing/event-bus";
import { identitySettings } from "@airtower/platform/testing/identities";
import { silentLog } from "@airtower/platform/testing/log";
import { readMessagingConfig } from "../../src/config.ts";
import { migrations } from "../../src/migrations.ts";
import { type Overrides, startMessaging } from "../../src/service.ts";
import { type Clients, clientsOf } from "./clients.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import { acceptedOf, type MessageInit, messageTo } from "./messaging.ts";
import {
	createScriptedOperator,
	type ScriptedOperator,
} from "./scripted-operator.ts";

/** The whole service in this process, on a database and an event bus of its own. */
export interface TestService extends Clients {
	readonly database: TestDatabase;
	readonly sql: TestDatabase["sql"];
	readonly events: TestEventBus;
	readonly ledger: Ledger;
	readonly operator: ScriptedOperator;
	readonly running: RunningService;
	close(): Promise<void>;
}

interface TestServiceOptions {
	/** Added to the service's environment. */
	readonly env?: Readonly<Record<string, string>>;
	/** Uses the route of the environment in place of the scripted operator. */
	readonly realOperator?: boolean;
	readonly overrides?: Overrides;
	/** Done to the migrated tables before the service starts. */
	readonly prepare?: (sql: TestDatabase["sql"]) => Promise<void>;
}

export async function startTestService(
	options: TestServiceOptions = {},
): Promise<TestService> {
	const database = await testDatabase(migrations);
	await options.prepare?.(database.sql);
	const events = await testEventBus();
	const ledger = createLedger();
	const operator = createScriptedOperator();
	const config = readMessagingConfig(settingsFor(database, options.env));
	const running = await startMessaging(config, {
		log: silentLog,
		bus: events.bus,
		accounts: ledger.client,
		...(!options.realOperator && { operators: [operator] }),
		...options.overrides,
	});
	return {
		database,
		sql: database.sql,
		events,
		ledger,
		operator,
		running,
		...clientsOf(running.port),
		close: async () => {
			await running.close();
			await events.drop();
			await database.drop();
		},
	};
}

/** Sends one message by RPC, which must be accepted; returns its id. */
export async function callSend(
	{ messaging }: Clients,
	organizationId: string,
	fields: MessageInit = {},
): Promise<string> {
	const { results } = await messaging.sendMessages({
		messages: [messageTo(organizationId, fields)],
	});
	return acceptedOf(results[0]).messageId;
}

/** The environment of a service on the test's database; its ports are free ones. */
export function settingsFor(
	database: TestDatabase,
	more: Readonly<Record<string, string>> = {},
): Record<string, string> {
	return {
		DATABASE_URL: database.url,
		DATABASE_SCHEMA: database.schema,
		RPC_PORT: "0",
		OPS_PORT: "0",
		...identitySettings("messaging"),
		EVENT_BUS: "postgres",
		BUS_DATABASE_URL: adminUrl(),
		LOG_LEVEL: "fatal",
		ACCOUNTS_RPC_URL: "http://127.0.0.1:9",
		SMPP_ROUTE_URL: "smpp://test:test@127.0.0.1:9",
		...more,
	};
}
