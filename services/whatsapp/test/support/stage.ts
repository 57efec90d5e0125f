import { randomBytes, randomUUID } from "node:crypto";
import type { BusEvent } from "@airtower/platform/events/event-bus";
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
import { keyRingText } from "@airtower/platform/testing/keys";
import { silentLog } from "@airtower/platform/testing/log";
import {
	type MessageOutcome,
	MessageOutcomeSchema,
} from "@airtower/proto/common/v1/message_outcome";
import { topics } from "@airtower/proto/rules/topics";
import type { BusinessAccount } from "@airtower/simulators/cloud-api/business-account";
import {
	type CloudApi,
	startCloudApi,
} from "@airtower/simulators/cloud-api/cloud-api";
import { fromBinary } from "@bufbuild/protobuf";
import { readWhatsappConfig } from "../../src/config.ts";
import { startWhatsapp } from "../../src/service.ts";
import { type CallbackGate, startCallbackGate } from "./callback-gate.ts";
import { type Clients, clientsOf } from "./clients.ts";

export const APP_SECRET = randomBytes(16).toString("hex");
export const VERIFY_TOKEN = randomBytes(16).toString("hex");
export const ACCESS_TOKEN = `EAAG${randomBytes(24).toString("hex")}`;
export const WABA_ID = "102290129340398";
const PHONE_NUMBER_IDS = Array.from(
	{ length: 40 },
	(_, index) => `10654035256${index + 1_000}`,
);

/** An organization with a registered number whose templates are read. */
export interface TestOrganization {
	readonly organizationId: string;
	readonly phoneNumberId: string;
	/** The provider's id of the number. */
	readonly providerId: string;
}

/** The whole service beside the look-alike: real HTTP, real RPC, real Postgres, real bus. */
export interface Stage {
	readonly database: TestDatabase;
	readonly api: BusinessAccount;
	readonly gate: CallbackGate;
	readonly clients: Clients;
	readonly settings: Record<string, string>;
	/** Every outcome event that was published. */
	readonly outcomes: readonly MessageOutcome[];
	newOrganization(): Promise<TestOrganization>;
	close(): Promise<void>;
}

export async function startStage(
	more: Record<string, string> = {},
): Promise<Stage> {
	const database = await testDatabase([]);
	const events = await testEventBus();
	const gate = await startCallbackGate();
	const cloudApi = await startCloudApi({
		callbackUrl: gate.url,
		appSecret: APP_SECRET,
		accessToken: ACCESS_TOKEN,
		phoneNumberIds: PHONE_NUMBER_IDS,
		wabaId: WABA_ID,
	});
	const settings = { ...settingsFor(database, cloudApi), ...more };
	const running = await startWhatsapp(readWhatsappConfig(settings), {
		log: silentLog,
		bus: events.bus,
	});
	const clients = clientsOf(running.port);
	gate.open(clients);
	const outcomes = await collectOutcomes(events);
	let numbers = 0;
	return {
		database,
		api: cloudApi.account,
		gate,
		clients,
		settings,
		outcomes,
		newOrganization: () => newOrganization(clients, numbers++),
		close: () => closeStage({ cloudApi, running, gate, events, database }),
	};
}

async function closeStage(parts: {
	cloudApi: CloudApi;
	running: RunningService;
	gate: CallbackGate;
	events: TestEventBus;
	database: TestDatabase;
}): Promise<void> {
	await parts.cloudApi.close();
	await parts.running.close();
	await parts.gate.close();
	await parts.events.drop();
	await parts.database.drop();
}

function settingsFor(
	database: TestDatabase,
	api: CloudApi,
): Record<string, string> {
	return {
		DATABASE_URL: database.url,
		DATABASE_SCHEMA: database.schema,
		RPC_PORT: "0",
		OPS_PORT: "0",
		...identitySettings("whatsapp"),
		ENCRYPTION_KEYS: keyRingText("seal"),
		EVENT_BUS: "postgres",
		BUS_DATABASE_URL: adminUrl(),
		LOG_LEVEL: "fatal",
		WHATSAPP_API_BASE_URL: api.url,
		WHATSAPP_APP_SECRET: APP_SECRET,
		WHATSAPP_VERIFY_TOKEN: VERIFY_TOKEN,
		WHATSAPP_RATE_PER_NUMBER: "1000",
	};
}

async function collectOutcomes({
	bus,
}: TestEventBus): Promise<MessageOutcome[]> {
	const outcomes: MessageOutcome[] = [];
	await bus.subscribe({
		group: "test",
		topics: [topics.whatsappOutcome],
		onBatch: async (batch: BusEvent[]) => {
			for (const { payload } of batch)
				outcomes.push(fromBinary(MessageOutcomeSchema, payload));
		},
	});
	return outcomes;
}

async function newOrganization(
	{ admin }: Clients,
	number: number,
): Promise<TestOrganization> {
	const organizationId = randomUUID();
	const providerId = PHONE_NUMBER_IDS[number] ?? "";
	const { phoneNumber } = await admin.registerPhoneNumber({
		organizationId,
		phone: `+1555000${1_000 + number}`,
		providerPhoneNumberId: providerId,
		providerAccountId: WABA_ID,
		accessToken: ACCESS_TOKEN,
	});
	await admin.syncTemplates({ organizationId });
	return { organizationId, phoneNumberId: phoneNumber?.id ?? "", providerId };
}
