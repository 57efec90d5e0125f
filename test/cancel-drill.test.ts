import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectRaceEnded, raceCancels } from "./support/cancel-race.ts";
import { openLedgers } from "./support/invariants.ts";
import { adminClients, createOrganization } from "./support/organization.ts";
import { submitsByText } from "./support/smsc.ts";
import { startTestSystem, type TestSystem } from "./support/test-system.ts";

const COUNT = 10_000;
const QUOTA = 1_000_000;
/** Killed one after another, in turns, while messages are canceled. */
const KILLED = ["messaging", "accounts", "messaging-delivery"] as const;
const PAUSE_BETWEEN_KILLS_MS = 8_000;
/** Shortest age from which the reconciler gives a unit back, seconds. */
const RECONCILE_AFTER_S = 25;
const UNKNOWN_WAIT_S = 5;

let running: TestSystem;
let ledgers: ReturnType<typeof openLedgers>;

beforeAll(async () => {
	running = await startTestSystem({
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

test("10,000 scheduled messages are canceled while they become due and processes are killed: each is sent once, or given back once and never sent", async () => {
	const { system } = running;
	const admin = adminClients(system);
	const organization = await createOrganization(admin, QUOTA);
	const ended = new AbortController();
	const killing = (async () => {
		for (let nth = 0; !ended.signal.aborted; nth++) {
			const name = KILLED[nth % KILLED.length] ?? "messaging";
			await system.kill(name, "SIGKILL");
			await system.restart(name);
			await delay(PAUSE_BETWEEN_KILLS_MS);
		}
	})();
	const race = await raceCancels(system.baseUrl, organization, COUNT).finally(
		() => ended.abort(),
	);
	await killing;
	const { canceled, kept } = race;
	expect(canceled.length + kept.length).toBe(COUNT);
	const payer = { id: organization.id, quota: QUOTA };
	await expectRaceEnded(ledgers, payer, race, 180_000);
	const submits = await submitsByText(system);
	const marked = await ledgers.possibleDuplicates();
	expect(canceled.filter((text) => submits.has(text))).toEqual([]);
	expect(kept.filter((text) => !submits.has(text))).toEqual([]);
	const repeated = kept.filter((text) => (submits.get(text) ?? 0) > 1);
	expect(repeated.filter((text) => !marked.has(text))).toEqual([]);
}, 900_000);
