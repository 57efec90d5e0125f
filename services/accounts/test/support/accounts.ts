import { connectDatabase, type Db } from "@airtower/platform/database/database";
import {
	type CallerRole,
	createTokenSigner,
	type TokenSigner,
} from "@airtower/platform/rpc/caller-token";
import { startRpcServer } from "@airtower/platform/rpc/server";
import { systemClock } from "@airtower/platform/runtime/clock";
import { parseKeyRing } from "@airtower/platform/runtime/key-ring";
import { createMetrics } from "@airtower/platform/runtime/metrics";
import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { keyRingText, testKeyRing } from "@airtower/platform/testing/keys";
import { silentLog } from "@airtower/platform/testing/log";
import { testRpcClient } from "@airtower/platform/testing/rpc-client";
import { AccountService } from "@airtower/proto/accounts/v1/account";
import { AccountsService } from "@airtower/proto/accounts/v1/accounts";
import { AccountsAdminService } from "@airtower/proto/accounts/v1/admin";
import type { DescService } from "@bufbuild/protobuf";
import type { Client } from "@connectrpc/connect";
import type { Context } from "../../src/context.ts";
import { createKeyUsage } from "../../src/key-usage.ts";
import { migrations } from "../../src/migrations.ts";
import { rpcRoutes } from "../../src/rpc/index.ts";
import { createTelemetry } from "../../src/telemetry.ts";
import { createMessageStore, type MessageStore } from "./message-store.ts";

/** The service's handlers behind a real RPC server on a real, empty database. */
export interface TestAccounts {
	readonly ctx: Context;
	readonly database: TestDatabase;
	/** A pool of the test's own, which loses no connection when the service loses its. */
	readonly observer: Db;
	readonly messages: MessageStore;
	readonly accounts: Client<typeof AccountsService>;
	readonly account: Client<typeof AccountService>;
	readonly admin: Client<typeof AccountsAdminService>;
	/** Clients whose token is for one organization. */
	accountsOf(organization: string): Client<typeof AccountsService>;
	accountOf(organization: string): Client<typeof AccountService>;
	adminOf(organization: string): Client<typeof AccountsAdminService>;
	/** Clients without a valid token. */
	readonly strangerAccounts: Client<typeof AccountsService>;
	readonly strangerAccount: Client<typeof AccountService>;
	readonly strangerAdmin: Client<typeof AccountsAdminService>;
	/** An admin client with a service's token. */
	readonly serviceAdmin: Client<typeof AccountsAdminService>;
	close(): Promise<void>;
}

const AUDIENCE = "accounts";

export async function startTestAccounts(
	overrides: Partial<Context> = {},
): Promise<TestAccounts> {
	const database = await testDatabase(migrations);
	const observer = connectDatabase({
		url: database.url,
		schema: database.schema,
		poolSize: 1,
		applicationName: "observer",
	});
	const messages = createMessageStore();
	const metrics = createMetrics("accounts");
	const ctx: Context = {
		sql: database.sql,
		log: silentLog,
		telemetry: createTelemetry(metrics),
		clock: systemClock,
		peppers: testKeyRing,
		encryptionKeys: testKeyRing,
		keyUsage: createKeyUsage(),
		messaging: messages,
		reconcileAfterMs: 0,
		wakeRelay: () => {},
		...overrides,
	};
	const server = await startRpcServer({
		host: "127.0.0.1",
		port: 0,
		audience: AUDIENCE,
		ring: testKeyRing,
		log: silentLog,
		metrics,
		routes: rpcRoutes(ctx),
		isHealthy: async () => true,
	});
	const clientOf = <S extends DescService>(
		service: S,
		signer: TokenSigner,
		organization = "*",
	) =>
		testRpcClient({
			service,
			baseUrl: `http://127.0.0.1:${server.port}`,
			signer,
			audience: AUDIENCE,
			organization,
		});
	return {
		ctx,
		database,
		observer,
		messages,
		accounts: clientOf(AccountsService, signerOf("service")),
		account: clientOf(AccountService, signerOf("service")),
		admin: clientOf(AccountsAdminService, signerOf("admin")),
		accountsOf: (organization) =>
			clientOf(AccountsService, signerOf("service"), organization),
		accountOf: (organization) =>
			clientOf(AccountService, signerOf("service"), organization),
		adminOf: (organization) =>
			clientOf(AccountsAdminService, signerOf("admin"), organization),
		strangerAccounts: clientOf(AccountsService, stranger),
		strangerAccount: clientOf(AccountService, stranger),
		strangerAdmin: clientOf(AccountsAdminService, stranger),
		serviceAdmin: clientOf(AccountsAdminService, signerOf("service")),
		close: async () => {
			await server.close();
			await observer.end();
			await database.drop();
		},
	};
}

function signerOf(role: CallerRole): TokenSigner {
	return createTokenSigner({ ring: testKeyRing, issuer: "test", role });
}

/** Signs with a key of the right name that is not the services'. */
const stranger = createTokenSigner({
	ring: parseKeyRing(keyRingText(testKeyRing.current.id)),
	issuer: "test",
	role: "admin",
});
