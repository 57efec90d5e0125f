import type { DescService } from "@bufbuild/protobuf";
import type { Client } from "@connectrpc/connect";
import { connectDatabase, type Db } from "../database/database.ts";
import { createEventBus } from "../events/create-event-bus.ts";
import type { EventBus } from "../events/event-bus.ts";
import { createTokenSigner } from "../identity/caller-token.ts";
import { readSigningKey } from "../identity/signing-key.ts";
import {
	openTrustedKeys,
	type TrustedKeysFile,
} from "../identity/trusted-keys.ts";
import { createRpcClient } from "../rpc/client.ts";
import { measureCertificates, readRpcTls, type TlsSource } from "../rpc/tls.ts";
import type { CommonConfig } from "../runtime/config.ts";
import { createLogger, type Logger } from "../runtime/log.ts";
import {
	createMetrics,
	type Metrics,
	measureProcess,
} from "../runtime/metrics.ts";
import { startTracing } from "./start-tracing.ts";

export interface ServiceOverrides {
	readonly log?: Logger;
	/** Used and not closed. */
	readonly bus?: EventBus;
}

export interface BaseOptions<Config extends CommonConfig> {
	readonly name: string;
	/** Of this process, in traces; the name when absent. */
	readonly role?: string;
	readonly config: Config;
	readonly overrides?: ServiceOverrides;
}

export interface ServiceBase<Config extends CommonConfig> {
	readonly name: string;
	readonly config: Config;
	readonly log: Logger;
	readonly metrics: Metrics;
	readonly sql: Db;
	readonly tls: TlsSource | undefined;
	readonly trustedKeys: TrustedKeysFile;
	readonly isReady: () => Promise<boolean>;
	openBus(): Promise<EventBus>;
	client<S extends DescService>(
		service: S,
		audience: string,
		baseUrl: string,
		timeoutMs?: number,
	): Client<S>;
}

export async function createBase<Config extends CommonConfig>(
	options: BaseOptions<Config>,
	isStopping: () => boolean,
) {
	const { name, role = name, config, overrides = {} } = options;
	const log =
		overrides.log ?? createLogger({ service: name, level: config.LOG_LEVEL });
	const metrics = createMetrics(name);
	measureProcess(metrics);
	const stopTracing = await startTracing({ service: name, role }, config, log);
	const tls = readRpcTls(config, { log });
	measureCertificates(metrics, tls);
	const { signer, trustedKeys } = await openIdentity(name, config, log);
	const sql = connectDatabase({
		url: config.DATABASE_URL,
		schema: config.DATABASE_SCHEMA,
		poolSize: config.DATABASE_POOL_SIZE,
		applicationName: name,
	});
	let bus: Promise<EventBus> | undefined;
	const base: ServiceBase<Config> = {
		name,
		config,
		log,
		metrics,
		sql,
		tls,
		trustedKeys,
		isReady: async () => !isStopping(),
		openBus: async () => {
			if (overrides.bus !== undefined) return overrides.bus;
			bus ??= createEventBus({
				kind: config.EVENT_BUS,
				brokers: config.KAFKA_BROKERS,
				access: config,
				databaseUrl: config.BUS_DATABASE_URL,
				clientId: name,
				log,
				metrics,
			});
			return bus;
		},
		client: (service, audience, baseUrl, timeoutMs) =>
			createRpcClient({
				service,
				audience,
				baseUrl,
				signer,
				tls,
				...(timeoutMs !== undefined && { timeoutMs }),
			}),
	};
	const closeBus = async () => (await bus)?.close();
	return { base, stopTracing, closeBus };
}

async function openIdentity(name: string, config: CommonConfig, log: Logger) {
	const { IDENTITY_KEY_FILE, TRUSTED_KEYS_FILE } = config;
	const key = await readSigningKey(
		"IDENTITY_KEY_FILE",
		IDENTITY_KEY_FILE,
		name,
	);
	const trustedKeys = await openTrustedKeys(TRUSTED_KEYS_FILE, key, log);
	return { signer: createTokenSigner({ key }), trustedKeys };
}
