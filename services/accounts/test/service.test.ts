import type { RunningService } from "@airtower/platform/service/create-service";
import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import {
	type TestEventBus,
	testEventBus,
} from "@airtower/platform/testing/event-bus";
import { eventually } from "@airtower/platform/testing/eventually";
import { silentLog } from "@airtower/platform/testing/log";
import { AccountChangeSchema } from "@airtower/proto/accounts/v1/events";
import { fromBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readAccountsConfig } from "../src/config.ts";
import { startAccounts } from "../src/service.ts";
import { authenticate, issue } from "./support/api-keys.ts";
import { clientsOf } from "./support/clients.ts";
import {
	type MessagingServer,
	startMessagingServer,
} from "./support/messaging-server.ts";
import {
	balanceOf,
	organizationWith,
	reservationsOf,
} from "./support/organizations.ts";
import { settingsFor } from "./support/settings.ts";

let database: TestDatabase;
let events: TestEventBus;
let messaging: MessagingServer;
let running: RunningService;
let clients: ReturnType<typeof clientsOf>;

beforeAll(async () => {
	database = await testDatabase([]);
	events = await testEventBus();
	messaging = await startMessagingServer();
	const config = readAccountsConfig(
		settingsFor(database, messaging.url, { RECONCILE_AFTER_S: "25" }),
	);
	running = await startAccounts(config, { log: silentLog, bus: events.bus });
	clients = clientsOf(running.port);
});

afterAll(async () => {
	await running.close();
	await messaging.close();
	await events.drop();
	await database.drop();
});

test("a started service is ready and counts what it does", async () => {
	const ops = `http://127.0.0.1:${running.opsPort}`;
	expect((await fetch(`${ops}/ready`)).status).toBe(200);
	const organizationId = await organizationWith(clients, 1);
	await clients.accounts.reserveQuota({
		reservations: reservationsOf(organizationId, 2),
	});
	const metrics = await (await fetch(`${ops}/metrics`)).text();
	expect(metrics).toMatch(/accounts_reservations_total\{.*granted.*\} 1/);
	expect(metrics).toMatch(/accounts_reservations_total\{.*exhausted.*\} 1/);
});

test("changes reach the bus in the order they were made", async () => {
	const seen: unknown[] = [];
	const organizationId = await organizationWith(clients);
	const subscription = await events.bus.subscribe({
		group: "test",
		topics: ["accounts.change.v1"],
		onBatch: async (batch) => {
			for (const { payload } of batch) {
				const change = fromBinary(AccountChangeSchema, payload);
				if (change.organizationId === organizationId)
					seen.push(change.change.case);
			}
		},
	});
	const { apiKeyId } = await issue(clients, organizationId);
	await clients.admin.grantQuota({
		organizationId,
		units: 5n,
		grantId: crypto.randomUUID(),
	});
	await clients.admin.revokeApiKey({ organizationId, apiKeyId });
	await clients.admin.setOrganizationState({
		organizationId,
		state: "suspended",
	});
	await eventually(() =>
		expect(seen).toEqual([
			"quotaGranted",
			"apiKeyRevoked",
			"organizationChanged",
		]),
	);
	await subscription.close();
});

test("a reservation without a message comes back, by the real way to messaging", async () => {
	const organizationId = await organizationWith(clients, 10);
	const reservations = reservationsOf(organizationId, 4);
	messaging.messages.stored.add(reservations[0]?.messageId ?? "");
	await clients.accounts.reserveQuota({ reservations });
	await database.sql`
		update ledger_entries
		set created_at = created_at - interval '2 min'
		where organization_id = ${organizationId}
	`;
	await eventually(async () =>
		expect(await balanceOf(clients, organizationId)).toBe(9),
	);
});

test("the last uses of keys are written when the service stops", async () => {
	const config = readAccountsConfig(settingsFor(database, messaging.url));
	const other = await startAccounts(config, {
		log: silentLog,
		bus: events.bus,
	});
	const clients = clientsOf(other.port);
	const organizationId = await organizationWith(clients);
	const { apiKeyId, secret } = await issue(clients, organizationId);
	expect(await authenticate(clients.accounts, [secret])).toEqual([apiKeyId]);
	await other.close();
	const [row] = await database.sql`
		select last_used_at
		from api_keys
		where id = ${apiKeyId}
	`;
	expect(row?.last_used_at).toBeInstanceOf(Date);
});
