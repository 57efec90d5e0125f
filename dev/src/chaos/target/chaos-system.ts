import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { type CallbackLog, startCallbackLog } from "../../load/callback-log.ts";
import { addEndpoint } from "../../load/receiver.ts";
import {
	adminAccessOf,
	createAdminClients,
} from "../../start/admin-clients.ts";
import { ensureDemoData } from "../../start/demo-data.ts";
import { startSystem } from "../../start/start-system.ts";
import type { System } from "../../start/system.ts";
import { untilHealthy } from "../../start/until-healthy.ts";
import { OperatorLog } from "../oracles/operator-log.ts";
import {
	addSystem,
	type Balancers,
	closeBalancers,
	openBalancers,
} from "./balancers.ts";
import { type Control, controlOf } from "./control.ts";
import { prepareRoutes } from "./routes.ts";
import { SMPP_ROUTE, SUBMIT_LOGS, settingsOf } from "./settings.ts";
import type { WhatsappTenant } from "./tenants.ts";
import { CrashLog } from "./watch.ts";
import { watchStatuses } from "./watch-statuses.ts";

export interface ChaosSystem extends Control {
	readonly system: System;
	/** The owner of all schemas. */
	readonly sql: postgres.Sql;
	readonly clients: ReturnType<typeof createAdminClients>;
	readonly receiver: CallbackLog;
	/** Of all operators together. */
	readonly operatorLog: OperatorLog;
	/** Before the replicas of each service. */
	readonly balancers: Balancers;
	/** The public API behind its balancer. */
	readonly apiUrl: string;
	readonly whatsapp: WhatsappTenant;
	/** Returns where the data and logs are kept, if they are. */
	close(keep: boolean): Promise<string | undefined>;
}

const OPERATORS = ["smsc", "smsc-2", "http-sms"] as const;
const REQUESTS_PER_MINUTE = 1_000_000;

export async function openChaosSystem(
	kafka: boolean,
	signal: AbortSignal,
): Promise<ChaosSystem> {
	const dataDir = await mkdtemp(join(tmpdir(), "airtower-chaos-"));
	// PostgreSQL does not run as root: its own user must be able to enter.
	await chmod(dataDir, 0o755);
	const crashes = new CrashLog();
	const balancers = await openBalancers();
	const settings = settingsOf(balancers, dataDir);
	const system = await startSystem({
		dataDir,
		kafka,
		signal,
		onEvent: crashes.note,
		env: settings,
		smppQuery: SMPP_ROUTE,
		routes: 3,
	});
	addSystem(balancers, system);
	for (const name of OPERATORS)
		await system.restart(name, { env: settings[name] });
	await untilHealthy(system.baseUrl, signal);
	const receiver = await startCallbackLog();
	const clients = createAdminClients(adminAccessOf(system));
	const plan = { name: "default", requestsPerMinute: REQUESTS_PER_MINUTE };
	await clients.accountsAdmin.putPlan(plan);
	await prepareRoutes(clients);
	const sql = postgres(system.adminDatabaseUrl, {
		max: 3,
		onnotice: () => {},
		idle_timeout: 5,
		connection: { application_name: "chaos" },
	});
	await watchStatuses(sql);
	return {
		...controlOf(system, settings, crashes),
		system,
		sql,
		clients,
		receiver,
		balancers,
		apiUrl: `http://127.0.0.1:${balancers.gateway.port}/api/v1`,
		operatorLog: new OperatorLog(
			OPERATORS.map((name) => join(dataDir, SUBMIT_LOGS[name])),
		),
		whatsapp: await openWhatsapp(system, receiver),
		close: async (keep) => {
			await sql.end({ timeout: 1 });
			await system.stop();
			await receiver.close();
			await closeBalancers(balancers);
			if (keep) return dataDir;
			await rm(dataDir, { recursive: true, force: true });
			return undefined;
		},
	};
}

async function openWhatsapp(
	system: System,
	receiver: CallbackLog,
): Promise<WhatsappTenant> {
	const demo = await ensureDemoData(system);
	const { organizationId, apiKey, whatsapp } = demo;
	const path = "/ok/w";
	const api = { baseUrl: system.baseUrl, apiKey };
	await addEndpoint(api, `${receiver.url}${path}`);
	return { name: "w", organizationId, apiKey, units: 0, path, whatsapp };
}
