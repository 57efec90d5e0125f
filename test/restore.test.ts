import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startCallbackLog } from "@airtower/dev/load/callback-log";
import { loadSecrets } from "@airtower/dev/secrets/secrets-file";
import { startPostgres } from "@airtower/dev/servers/postgres";
import { startSystem } from "@airtower/dev/start/start-system";
import type { System, SystemOptions } from "@airtower/dev/start/system";
import { eventually } from "@airtower/platform/testing/eventually";
import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { type ApiClient, apiClient } from "./support/api.ts";
import {
	archiveLog,
	asSuperuser,
	finishLog,
	removeFolder,
	restoreTo,
	takeBase,
} from "./support/backup.ts";
import { openLedgers } from "./support/invariants.ts";
import {
	adminClients,
	createOrganization,
	type TestOrganization,
} from "./support/organization.ts";
import { submitsByText } from "./support/smsc.ts";
import { startTestSystem } from "./support/test-system.ts";

const CLIENTS = 8;
const UNITS = 1_000_000;
/** Of the load: before the moment to which all is restored, and between that and the loss, ms. */
const BEFORE_MS = 3_000;
const AFTER_MS = 2_000;
/** What waits for its time is due so long after that moment, ms: a busy machine takes a second to tell it. */
const LATER_MS = 5_000;
const OPTIONS: Omit<SystemOptions, "dataDir"> = {
	env: {
		accounts: { RECONCILE_AFTER_S: "25" },
		messaging: { UNKNOWN_WAIT_S: "3" },
	},
};
const LATER = "restore later";
const CAMPAIGN = "restore campaign";
const AFTER_RESTORE = new URL(
	"../deploy/k8s/after-restore.sql",
	import.meta.url,
);

interface Request {
	readonly text: string;
	readonly id: string;
	readonly sentAt: number;
	readonly acceptedAt: number;
}

/** Sends one message after another until it is told to stop. */
function startLoad(system: System, { apiKey }: TestOrganization) {
	const requests: Request[] = [];
	let isOver = false as boolean;
	const send = async (client: ApiClient, text: string) => {
		const sentAt = Date.now();
		const body = { to: "+33612349999", message: text };
		const response = await client.post("/sms/send", body);
		expect(response.status).toBe(202);
		const { messageId } = response.body.provider as { messageId: string };
		requests.push({ text, id: messageId, sentAt, acceptedAt: Date.now() });
	};
	const clients = Array.from({ length: CLIENTS }, async (_, number) => {
		const client = apiClient(system.baseUrl, apiKey);
		for (let nth = 0; !isOver; nth++)
			await send(client, `restore ${number} ${nth}`);
		await client.close();
	});
	return async () => {
		isOver = true;
		await Promise.all(clients);
		return requests;
	};
}

/** Has a message and a campaign wait for a time after the moment to which all is restored, and before the loss. */
async function planForLater(system: System, { apiKey }: TestOrganization) {
	const client = apiClient(system.baseUrl, apiKey);
	const at = new Date(Date.now() + BEFORE_MS + LATER_MS).toISOString();
	const message = { to: "+33612349999", message: LATER, send_at: at };
	expect(await client.post("/sms/send", message)).toMatchObject({
		status: 202,
	});
	const recipients = ["+33612349998", "+33612349997"];
	const campaign = { name: "later", content: CAMPAIGN, recipients };
	expect(
		await client.post("/campaigns", { ...campaign, scheduledAt: at }),
	).toMatchObject({ status: 201 });
	await client.close();
}

/**
 * The server of a restored folder recovers, and what may have been sent since is marked. Returns the messages by
 * their status.
 */
async function recover(dataDir: string) {
	const { postgresPassword } = await loadSecrets(dataDir);
	const server = await startPostgres({
		dataDir: join(dataDir, "postgres"),
		password: postgresPassword,
	});
	onTestFinished(() => server.process.stop(10_000));
	const url = new URL(server.url);
	url.pathname = "/airtower";
	const sql = postgres(url.href, { max: 1, onnotice: () => {} });
	await eventually(async () => {
		const [row] = await sql<[{ recovers: boolean }]>`
			select pg_is_in_recovery() as recovers
		`;
		expect(row.recovers).toBe(false);
	});
	const messages = await sql<{ id: string; status: string }[]>`
		select id, status
		from messaging.messages
	`;
	await sql.unsafe(await readFile(AFTER_RESTORE, "utf8"));
	await sql.end();
	await server.process.stop(10_000);
	return Map.groupBy(messages, ({ status }) => status);
}

test("a database that is lost under load comes back at another place as it was at a moment, all schemas alike: nothing of before is lost, what goes twice is marked", async () => {
	const { system, dispose } = await startTestSystem(OPTIONS);
	onTestFinished(dispose);
	const callbacks = await startCallbackLog();
	onTestFinished(() => callbacks.close());
	const organization = await createOrganization(adminClients(system), UNITS);
	const setup = apiClient(system.baseUrl, organization.apiKey);
	await setup.post("/webhooks", {
		url: callbacks.url,
		subscribed_events: ["message.delivered", "message.failed"],
	});
	await setup.close();

	const archive = await archiveLog(system);
	await eventually(async () => {
		const { body } = await apiClient(system.baseUrl, "").get("/health");
		expect(body).toMatchObject({ accepting: true });
	});
	const stopLoad = startLoad(system, organization);
	await delay(1_000);
	const backup = await takeBase(system, archive);
	await planForLater(system, organization);
	await delay(BEFORE_MS);
	const [moment] = await asSuperuser(
		system,
		(sql) => sql<[{ text: string }]>`select clock_timestamp()::text as text`,
	);
	await delay(AFTER_MS);
	await eventually(async () => {
		const submits = await submitsByText(system);
		expect([submits.get(LATER), submits.get(CAMPAIGN)]).toEqual([1, 2]);
	});
	await finishLog(system);
	const requests = await stopLoad();
	const submitsBefore = await submitsByText(system);
	await system.kill("postgres", "SIGKILL");
	await system.stop();

	const dataDir = await restoreTo(system, backup, moment.text);
	onTestFinished(() => removeFolder(dataDir));
	const byStatus = await recover(dataDir);
	const restored = await startSystem({ ...OPTIONS, dataDir });
	onTestFinished(() => restored.stop());
	const ledgers = openLedgers(restored);
	onTestFinished(() => ledgers.close());

	const at = Date.parse(moment.text);
	const before = requests.filter(({ acceptedAt }) => acceptedAt < at);
	const after = requests.filter(({ sentAt }) => sentAt > at);
	expect(before.length).toBeGreaterThan(0);
	expect(after.length).toBeGreaterThan(0);
	const missing = await ledgers.missingMessages(requests.map(({ id }) => id));
	expect(
		before.filter(({ id }) => missing.includes(id)),
		"I1",
	).toEqual([]);
	expect(
		after.filter(({ id }) => !missing.includes(id)),
		"one moment",
	).toEqual([]);

	const stored = await ledgers.stored(organization.id);
	// Their receipts came after the moment, to a database that is lost: they end without one.
	const withoutReceipt = byStatus.get("submitted")?.length ?? 0;
	let delivered = 0;
	await eventually(
		async () => {
			const found = await ledgers.statuses(organization.id);
			delivered = found.delivered ?? 0;
			const { submitted = 0 } = found;
			expect(delivered + submitted, "I3").toBe(stored.length);
			expect(submitted, "I3").toBeLessThanOrEqual(withoutReceipt);
		},
		{ timeoutMs: 120_000, everyMs: 500 },
	);
	await eventually(
		async () =>
			expect(await ledgers.accounting(organization.id), "I2").toEqual({
				balance: UNITS - stored.length,
				ledger: UNITS - stored.length,
				messages: stored.length,
			}),
		{ timeoutMs: 90_000, everyMs: 500 },
	);
	const submitsAfter = await submitsByText(restored);
	expect(submitsAfter.get(CAMPAIGN), "a campaign waits").toBeUndefined();
	const marked = await ledgers.possibleDuplicates();
	for (const text of stored) {
		const times =
			(submitsBefore.get(text) ?? 0) + (submitsAfter.get(text) ?? 0);
		expect(times, "I4").toBeGreaterThan(0);
		if (times > 1) expect(marked, "I5").toContain(text);
	}
	await eventually(
		async () =>
			expect(await ledgers.deliveries(organization.id), "I6").toEqual({
				deliveries: delivered,
				messages: delivered,
				delivered,
			}),
		{ timeoutMs: 90_000, everyMs: 500 },
	);
	const events = callbacks.eventsByMessage("/");
	for (const { id } of byStatus.get("delivered") ?? [])
		expect(events.get(id)?.length, "I6").toBe(1);
});
