import { randomUUID } from "node:crypto";
import { appendFile, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { oneEventPerOutcome } from "@airtower/dev/chaos/invariants/callbacks";
import { checkInvariants } from "@airtower/dev/chaos/invariants/check-all";
import { nobodySeesOthers } from "@airtower/dev/chaos/invariants/isolation";
import {
	operatorHasAll,
	repeatsAreMarked,
} from "@airtower/dev/chaos/invariants/operator";
import {
	neverBackwards,
	nothingIsStuck,
} from "@airtower/dev/chaos/invariants/progress";
import { quotaIsExact } from "@airtower/dev/chaos/invariants/quota";
import { resourcesComeBack } from "@airtower/dev/chaos/invariants/resources";
import {
	acceptedIsStored,
	oneKeyOneEffect,
} from "@airtower/dev/chaos/invariants/responses";
import { beginTrial } from "@airtower/dev/chaos/run-trial";
import {
	type ChaosSystem,
	openChaosSystem,
} from "@airtower/dev/chaos/target/chaos-system";
import { readResources } from "@airtower/dev/chaos/target/resources";
import type { Trial } from "@airtower/dev/chaos/trial";
import { afterAll, beforeAll, expect, test } from "vitest";

const LOAD_MS = 2_000;

let target: ChaosSystem;
let trial: Trial;

beforeAll(async () => {
	target = await openChaosSystem(false, new AbortController().signal);
	const fault = { number: 0, name: "none", act: async () => undefined };
	const baseline = await readResources(target);
	trial = await beginTrial(target, {
		fault,
		baseline,
		seed: 1,
		isLong: false,
	});
	await delay(LOAD_MS);
	await trial.load.stop();
});

afterAll(async () => {
	await target.close(false);
});

/** One ordinary SMS of organization a. */
function anySms() {
	const { ledger } = trial.load;
	const sent = ledger
		.of(trial.tenants.a, "sms")
		.find(({ parts, recipients }) => parts === 1 && isOrdinary(recipients));
	const [id] = sent?.ids ?? [];
	if (sent === undefined || id === undefined) throw new Error("nothing sent");
	return { sent, id };
}

function isOrdinary([recipient = ""]: readonly string[]): boolean {
	return Number(recipient.slice(-4)) >= 1_000;
}

/** As a callback of the product would come, to the endpoint of a. */
async function callBack(messageId: string): Promise<void> {
	const data = { message_id: messageId, status: "delivered" };
	await fetch(`${target.receiver.url}${trial.tenants.a.path}`, {
		method: "POST",
		body: JSON.stringify({ id: randomUUID(), data }),
	});
}

test("a system without a fault keeps every promise", async () => {
	expect(await checkInvariants(trial)).toEqual([]);
	expect(target.takeUnexpectedEnds()).toEqual([]);
	expect(trial.load.ledger.sent.length).toBeGreaterThan(10);
});

test("a second event for an outcome, and another's callback, are seen", async () => {
	await callBack(anySms().id);
	expect(await oneEventPerOutcome.check(trial)).toEqual([
		expect.stringContaining("outcomes with several events"),
	]);
	const [foreign = ""] = trial.load.ledger.messageIds(trial.tenants.b);
	await callBack(foreign);
	expect(await nobodySeesOthers.check(trial)).toEqual([
		expect.stringContaining("callbacks of others"),
	]);
});

test("a part that was submitted twice is seen, unless it is within a crash's window and marked", async () => {
	const { sent, id } = anySms();
	const log = `${target.system.dataDir}/submits.jsonl`;
	const lines = (await readFile(log, "utf8")).split("\n");
	await appendFile(log, `${lines.find((line) => line.includes(sent.tag))}\n`);
	expect(await repeatsAreMarked.check(trial)).toEqual([
		expect.stringContaining("1 submits too many for 0 windows"),
		expect.stringContaining("repeated and not marked"),
	]);
	await target.sql`
		update messaging.messages
		set possible_duplicate = true
		where id = ${id}
	`;
	const crashed = { ...trial, lostWindows: 1 };
	expect(await repeatsAreMarked.check(crashed)).toEqual([]);
});

test("quota that is off by one is seen", async () => {
	await target.sql`
		update accounts.balances
		set balance = balance - 1
		where organization_id = ${trial.tenants.a.organizationId}
	`;
	expect(await quotaIsExact.check(trial)).toHaveLength(1);
});

test("a status that went back, and a message that is not at its end, are seen", async () => {
	expect(await neverBackwards.check(trial)).toEqual([]);
	await target.sql`
		update messaging.messages
		set status = 'submitted', finished_at = null
		where id = ${anySms().id}
	`;
	expect(await neverBackwards.check(trial)).toHaveLength(1);
	expect(await nothingIsStuck.check(trial)).toHaveLength(1);
});

test("a WhatsApp message that was given up is seen, unless a crash explains it and nobody took it", async () => {
	const { ledger } = trial.load;
	const [sent] = ledger.of(trial.tenants.w);
	const [id = ""] = sent?.ids ?? [];
	const untaken = randomUUID();
	const giveUp = (as: string) => target.sql`
		insert into whatsapp.messages
		select given_up.*
		from whatsapp.messages,
		jsonb_populate_record(
			messages,
			jsonb_build_object(
				'id', ${as}::text,
				'status', 'failed',
				'error_code', 'operator_error',
				'provider_message_id', null
			)
		) as given_up
		where messages.id = ${id}
	`;
	await giveUp(untaken);
	sent?.ids.add(untaken);
	const unexplained = expect.stringContaining("1 WhatsApp messages given up");
	expect(await nothingIsStuck.check(trial)).toContainEqual(unexplained);
	const crashed = { ...trial, lostWindows: 1 };
	expect(await nothingIsStuck.check(crashed)).not.toContainEqual(unexplained);
	await target.sql`
		delete from whatsapp.messages
		where id = ${id}
	`;
	await target.sql`
		update whatsapp.messages
		set id = ${id}
		where id = ${untaken}
	`;
	expect(await nothingIsStuck.check(crashed)).toContainEqual(
		expect.stringContaining("WhatsApp messages not at their end"),
	);
	sent?.ids.delete(untaken);
});

test("a response that nothing stands behind is seen: not stored, not sent, not called back", async () => {
	const { sent } = anySms();
	const invented = {
		...sent,
		key: "invented",
		tag: "#invented#",
		ids: new Set([randomUUID()]),
	};
	trial.load.ledger.sent.push(invented);
	expect(await acceptedIsStored.check(trial)).toHaveLength(1);
	expect(await operatorHasAll.check(trial)).toHaveLength(1);
	expect(await oneEventPerOutcome.check(trial)).toContainEqual(
		expect.stringContaining("outcomes without an event"),
	);
	invented.ids.add(randomUUID());
	expect(await oneKeyOneEffect.check(trial)).toEqual([
		expect.stringContaining("keys without exactly one response"),
	]);
});

test("what a process does not give back is seen", async () => {
	const none = new Map<string, number>();
	const baseline = { memoryMb: none, handles: none, connections: 0 };
	const broken = await resourcesComeBack.check({ ...trial, baseline });
	expect(broken.length).toBeGreaterThan(0);
});
