import { setTimeout as delay } from "node:timers/promises";
import { startCallbackLog } from "@airtower/dev/load/callback-log";
import type { ProcessName } from "@airtower/dev/start/system";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiClient, apiClient } from "./support/api.ts";
import { openLedgers } from "./support/invariants.ts";
import { adminClients, createOrganization } from "./support/organization.ts";
import { submitsByText } from "./support/smsc.ts";
import { startTestSystem, type TestSystem } from "./support/test-system.ts";

const CLIENTS = 24;
/** Each is killed once while the load lasts. */
const KILLED = [
	"messaging",
	"messaging-delivery",
	"accounts",
	"webhooks",
] as const;
const PAUSE_BETWEEN_KILLS_MS = 2_500;
/** In-flight submits of the simulator's route: what one crash may send again. */
const WINDOW = 10;
/** Shortest age from which the reconciler gives a unit back, seconds. */
const RECONCILE_AFTER_S = 25;
/** The operator's receipts come within 300 ms: what has none by then was not taken. */
const UNKNOWN_WAIT_S = 5;

let running: TestSystem;
let ledgers: ReturnType<typeof openLedgers>;

beforeAll(async () => {
	running = await startTestSystem({
		smppQuery: { window: String(WINDOW) },
		env: {
			accounts: { RECONCILE_AFTER_S: String(RECONCILE_AFTER_S) },
			messaging: { UNKNOWN_WAIT_S: String(UNKNOWN_WAIT_S) },
		},
	});
	ledgers = openLedgers(running.system);
});

afterAll(async () => {
	await ledgers.close();
	await running.dispose();
});

/** Sends until it is accepted, as a careful client does: the same key on every try. */
async function sendUntilAccepted(
	client: ApiClient,
	text: string,
): Promise<string> {
	for (;;) {
		try {
			const response = await client.post(
				"/sms/send",
				{ to: "+33612349999", message: text },
				{ "idempotency-key": text.replaceAll(" ", "-") },
			);
			if (response.status === 202)
				return (response.body.provider as { messageId: string }).messageId;
			expect([409, 503]).toContain(response.status);
		} catch (error) {
			expect(error).not.toHaveProperty("matcherResult");
		}
		await delay(100);
	}
}

async function killAndRestart(name: ProcessName): Promise<void> {
	await running.system.kill(name, "SIGKILL");
	await running.system.restart(name);
	await delay(PAUSE_BETWEEN_KILLS_MS);
}

test("messaging, both parts of it, accounts and webhooks killed under load: nothing lost, doubled or stuck", async () => {
	const { system } = running;
	const callbacks = await startCallbackLog();
	const organization = await createOrganization(
		adminClients(system),
		1_000_000,
	);
	const setup = apiClient(system.baseUrl, organization.apiKey);
	const endpoint = await setup.post("/webhooks", {
		url: callbacks.url,
		subscribed_events: ["message.delivered", "message.failed"],
	});
	expect(endpoint.status).toBe(202);
	await setup.close();

	const texts = new Map<string, string>();
	const ended = new AbortController();
	const clients = Array.from({ length: CLIENTS }, async (_, number) => {
		const client = apiClient(system.baseUrl, organization.apiKey);
		for (let index = 0; !ended.signal.aborted; index++) {
			const text = `crash ${number} ${index}`;
			texts.set(text, await sendUntilAccepted(client, text));
		}
		await client.close();
	});
	await delay(1_000);
	for (const name of KILLED) await killAndRestart(name);
	await eventually(() => expect(texts.size).toBeGreaterThan(CLIENTS));
	ended.abort();
	await Promise.all(clients);
	const ids = [...texts.values()];

	expect(await ledgers.missingMessages(ids), "I1").toEqual([]);
	expect(new Set(await ledgers.stored(organization.id)), "I8").toEqual(
		new Set(texts.keys()),
	);
	await eventually(
		async () =>
			expect(await ledgers.statuses(organization.id), "I3").toEqual({
				delivered: texts.size,
			}),
		{ timeoutMs: 200_000, everyMs: 500 },
	);
	expect(await ledgers.stuckMessages(), "I3").toBe(0);
	await eventually(
		async () =>
			expect(await ledgers.accounting(organization.id), "I2").toEqual({
				balance: 1_000_000 - texts.size,
				ledger: 1_000_000 - texts.size,
				messages: texts.size,
			}),
		{ everyMs: 500 },
	);
	await checkSubmits(texts);
	await eventually(
		async () =>
			expect(await ledgers.deliveries(organization.id), "I6").toEqual({
				deliveries: texts.size,
				messages: texts.size,
				delivered: texts.size,
			}),
		{ everyMs: 500 },
	);
	const events = callbacks.eventsByMessage("/");
	for (const id of ids) expect(events.get(id)?.length, "I6").toBe(1);
	await callbacks.close();
});

/** The operator's own log: every text at least once; what came twice is within one window and marked. */
async function checkSubmits(texts: ReadonlyMap<string, string>): Promise<void> {
	const submits = await submitsByText(running.system);
	expect(
		[...texts.keys()].filter((text) => !submits.has(text)),
		"I4",
	).toEqual([]);
	const repeated = [...submits]
		.filter(([, count]) => count > 1)
		.map(([text]) => text);
	expect(repeated.length, "I5").toBeLessThanOrEqual(WINDOW);
	const marked = await ledgers.possibleDuplicates();
	expect(
		repeated.filter((text) => !marked.has(text)),
		"I5",
	).toEqual([]);
}
