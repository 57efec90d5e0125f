import { setTimeout as delay } from "node:timers/promises";
import type { EventBus } from "@airtower/platform/events/event-bus";
import { type RpcServer, startRpcServer } from "@airtower/platform/rpc/server";
import { closeAll } from "@airtower/platform/runtime/lifecycle";
import type { Logger } from "@airtower/platform/runtime/log";
import { createMetrics } from "@airtower/platform/runtime/metrics";
import type { RunningService } from "@airtower/platform/service/create-service";
import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { testEventBus } from "@airtower/platform/testing/event-bus";
import {
	identitySettings,
	testTrustedKeys,
} from "@airtower/platform/testing/identities";
import { keyRingText } from "@airtower/platform/testing/keys";
import { silentLog } from "@airtower/platform/testing/log";
import { AccountService } from "@airtower/proto/accounts/v1/account";
import { AccountsService } from "@airtower/proto/accounts/v1/accounts";
import { CampaignsService } from "@airtower/proto/campaigns/v1/campaigns";
import { ContactsService } from "@airtower/proto/campaigns/v1/contacts";
import { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import { AuditService } from "@airtower/proto/ops/v1/audit";
import { BacklogService } from "@airtower/proto/ops/v1/backlog";
import { WebhooksService } from "@airtower/proto/webhooks/v1/webhooks";
import { WhatsAppService } from "@airtower/proto/whatsapp/v1/whatsapp";
import type { DescService } from "@bufbuild/protobuf";
import type { ConnectRouter } from "@connectrpc/connect";
import type { ServiceName } from "../src/clients.ts";
import { readGatewayConfig } from "../src/config.ts";
import { migrations } from "../src/migrations.ts";
import { startGateway } from "../src/service.ts";
import { FakeAccount } from "./fakes/account.ts";
import { FakeAccounts } from "./fakes/accounts.ts";
import { FakeAudit } from "./fakes/audit.ts";
import { FakeCampaigns } from "./fakes/campaigns.ts";
import { FakeMessaging } from "./fakes/messaging.ts";
import { FakeWebhooks } from "./fakes/webhooks.ts";
import { FakeWhatsApp } from "./fakes/whatsapp.ts";

/** A gateway with its database, its bus and the services it calls. */
export interface World {
	readonly gateway: RunningService;
	readonly baseUrl: string;
	readonly accounts: FakeAccounts;
	readonly messaging: FakeMessaging;
	readonly account: FakeAccount;
	readonly whatsapp: FakeWhatsApp;
	readonly campaigns: FakeCampaigns;
	readonly webhooks: FakeWebhooks;
	readonly audits: Readonly<Record<ServiceName, FakeAudit>>;
	readonly database: TestDatabase;
	readonly bus: EventBus;
	/** Services that respond and cannot store anything. */
	readonly fullDisks: Set<ServiceName>;
	/** Services whose next finding takes so long, ms. */
	readonly lateFindings: Map<ServiceName, number>;
	/** Seconds that the oldest work of a service waits. */
	readonly backlogs: Map<ServiceName, number>;
	/** Another gateway of the same world. */
	startGateway(settings?: WorldSettings): Promise<RunningService>;
	stopService(name: ServiceName): Promise<void>;
	restartService(name: ServiceName): Promise<void>;
	close(): Promise<void>;
}

interface WorldSettings {
	readonly env?: Readonly<Record<string, string>>;
	readonly log?: Logger;
	readonly nowMs?: () => number;
	readonly monotonicMs?: () => number;
}

const SERVICES: Readonly<Record<ServiceName, readonly DescService[]>> = {
	accounts: [AccountsService, AccountService, AuditService],
	messaging: [MessagingService, AuditService, BacklogService],
	whatsapp: [WhatsAppService, AuditService, BacklogService],
	campaigns: [ContactsService, CampaignsService, AuditService],
	webhooks: [WebhooksService, AuditService, BacklogService],
};

const identity = identitySettings("gateway");
const cursorKeys = keyRingText("cursor");
/** Longer than a busy machine takes, ms. */
const AUTHENTICATE_TIMEOUT_MS = 30_000;

export async function startWorld(settings: WorldSettings = {}): Promise<World> {
	const accounts = new FakeAccounts();
	const messaging = new FakeMessaging();
	const account = new FakeAccount();
	const whatsapp = new FakeWhatsApp();
	const campaigns = new FakeCampaigns();
	const webhooks = new FakeWebhooks();
	const audits: Record<ServiceName, FakeAudit> = {
		accounts: account.audit,
		messaging: new FakeAudit(),
		whatsapp: new FakeAudit(),
		campaigns: new FakeAudit(),
		webhooks: new FakeAudit(),
	};
	const routes: Record<ServiceName, (router: ConnectRouter) => void> = {
		accounts: (router) => {
			accounts.routes(router);
			account.routes(router);
		},
		messaging: messaging.routes,
		whatsapp: whatsapp.routes,
		campaigns: campaigns.routes,
		webhooks: webhooks.routes,
	};
	const fullDisks = new Set<ServiceName>();
	const lateFindings = new Map<ServiceName, number>();
	const backlogs = new Map<ServiceName, number>();
	const canStore = async (name: ServiceName) => {
		const lateMs = lateFindings.get(name) ?? 0;
		lateFindings.delete(name);
		if (lateMs > 0) await delay(lateMs);
		return !fullDisks.has(name);
	};
	const startServer = (name: ServiceName, port = 0) =>
		serve(
			name,
			(router) => {
				routes[name](router);
				audits[name].routes(router);
				router.rpc(BacklogService.method.getBacklog, () => ({
					oldestSeconds: backlogs.get(name) ?? 0,
				}));
			},
			() => canStore(name),
			port,
		);
	const servers = {
		accounts: await startServer("accounts"),
		messaging: await startServer("messaging"),
		whatsapp: await startServer("whatsapp"),
		campaigns: await startServer("campaigns"),
		webhooks: await startServer("webhooks"),
	};
	const database = await testDatabase(migrations);
	const { bus, drop: dropBus } = await testEventBus();
	const gateways: RunningService[] = [];

	async function start({ env, ...overrides }: WorldSettings = {}) {
		const gateway = await startGateway(
			readGatewayConfig({
				DATABASE_URL: database.url,
				DATABASE_SCHEMA: database.schema,
				OPS_PORT: "0",
				HTTP_PORT: "0",
				...identity,
				EVENT_BUS: "postgres",
				CURSOR_KEYS: cursorKeys,
				ACCOUNTS_RPC_URL: urlOf(servers.accounts),
				MESSAGING_RPC_URL: urlOf(servers.messaging),
				WHATSAPP_RPC_URL: urlOf(servers.whatsapp),
				CAMPAIGNS_RPC_URL: urlOf(servers.campaigns),
				WEBHOOKS_RPC_URL: urlOf(servers.webhooks),
				...env,
			}),
			{
				log: silentLog,
				authenticateTimeoutMs: AUTHENTICATE_TIMEOUT_MS,
				...overrides,
				bus,
			},
		);
		gateways.push(gateway);
		return gateway;
	}

	const gateway = await start(settings);
	return {
		gateway,
		baseUrl: baseUrlOf(gateway),
		accounts,
		messaging,
		account,
		whatsapp,
		campaigns,
		webhooks,
		audits,
		database,
		bus,
		fullDisks,
		lateFindings,
		backlogs,
		startGateway: start,
		stopService: (name) => servers[name].close(),
		restartService: async (name) => {
			servers[name] = await startServer(name, servers[name].port);
		},
		close: () =>
			closeAll([
				() => Promise.all(gateways.map((one) => one.close())),
				() => Promise.all(Object.values(servers).map((one) => one.close())),
				dropBus,
				() => database.drop(),
			]),
	};
}

export function baseUrlOf(gateway: RunningService): string {
	return `http://127.0.0.1:${gateway.port}/api/v1`;
}

function urlOf(server: RpcServer): string {
	return `http://127.0.0.1:${server.port}`;
}

function serve(
	audience: ServiceName,
	routes: (router: ConnectRouter) => void,
	canStore: () => Promise<boolean>,
	port = 0,
): Promise<RpcServer> {
	return startRpcServer({
		host: "127.0.0.1",
		port,
		audience,
		trustedKeys: testTrustedKeys,
		log: silentLog,
		metrics: createMetrics(audience),
		routes: SERVICES[audience].map((service, nth) => ({
			service,
			register: nth === 0 ? routes : () => {},
		})),
		isHealthy: () => Promise.resolve(true),
		canStore,
		limits: { closeGraceMs: 50 },
	});
}
