import { auditRoute } from "@airtower/platform/audit/audit-service";
import { connectDatabase, type Db } from "@airtower/platform/database/database";
import { systemClock } from "@airtower/platform/runtime/clock";
import { createMetrics } from "@airtower/platform/runtime/metrics";
import {
	type TestDatabase,
	type TestDatabaseOptions,
	testDatabase,
} from "@airtower/platform/testing/database";
import { testKeyRing } from "@airtower/platform/testing/keys";
import { silentLog } from "@airtower/platform/testing/log";
import { serveRoutes } from "@airtower/platform/testing/rpc-server";
import { AccountService } from "@airtower/proto/accounts/v1/account";
import { AccountsService } from "@airtower/proto/accounts/v1/accounts";
import { AccountsAdminService } from "@airtower/proto/accounts/v1/admin";
import { AuditService } from "@airtower/proto/ops/v1/audit";
import type { Client } from "@connectrpc/connect";
import { createAnnouncedCutoffs } from "../../src/announced-cutoffs.ts";
import type { Context } from "../../src/context.ts";
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
	readonly audit: Client<typeof AuditService>;
	readonly admin: Client<typeof AccountsAdminService>;
	/** Clients whose token is for one organization. */
	accountsOf(organization: string): Client<typeof AccountsService>;
	accountOf(organization: string): Client<typeof AccountService>;
	auditOf(organization: string): Client<typeof AuditService>;
	adminOf(organization: string): Client<typeof AccountsAdminService>;
	/** Clients without a valid token. */
	readonly strangerAccounts: Client<typeof AccountsService>;
	readonly strangerAccount: Client<typeof AccountService>;
	readonly strangerAudit: Client<typeof AuditService>;
	readonly strangerAdmin: Client<typeof AccountsAdminService>;
	/** An admin client with a service's token. */
	readonly serviceAdmin: Client<typeof AccountsAdminService>;
	close(): Promise<void>;
}

export async function startTestAccounts(
	overrides: Partial<Context> = {},
	options: TestDatabaseOptions = {},
): Promise<TestAccounts> {
	const database = await testDatabase(migrations, options);
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
		keyUsage: new Map(),
		cutoffs: createAnnouncedCutoffs(),
		messaging: messages,
		reconcileAfterMs: 0,
		ledgerMonths: 25,
		wakeRelay: () => {},
		...overrides,
	};
	const { client, close } = await serveRoutes(
		"accounts",
		[...rpcRoutes(ctx), auditRoute(ctx.sql)],
		{ auditDatabase: ctx.sql },
	);
	const stranger = { isStranger: true };
	return {
		ctx,
		database,
		observer,
		messages,
		accounts: client(AccountsService),
		account: client(AccountService),
		audit: client(AuditService),
		admin: client(AccountsAdminService),
		accountsOf: (organization) => client(AccountsService, { organization }),
		accountOf: (organization) => client(AccountService, { organization }),
		auditOf: (organization) => client(AuditService, { organization }),
		adminOf: (organization) => client(AccountsAdminService, { organization }),
		strangerAccounts: client(AccountsService, stranger),
		strangerAccount: client(AccountService, stranger),
		strangerAudit: client(AuditService, stranger),
		strangerAdmin: client(AccountsAdminService, stranger),
		serviceAdmin: client(AccountsAdminService, { issuer: "gateway" }),
		close: async () => {
			await close();
			await observer.end();
			await database.drop();
		},
	};
}
