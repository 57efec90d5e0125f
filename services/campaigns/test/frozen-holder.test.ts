import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import { frozenMs, LONGEST_WAIT_MS } from "@airtower/platform/testing/frozen";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { runDueCampaign } from "../src/jobs/run-campaigns.ts";
import { migrations } from "../src/migrations.ts";
import { fakeMessaging } from "./fake-messaging.ts";
import {
	contextWith,
	createCampaign,
	neverStops,
	phones,
	readCampaign,
} from "./test-campaigns.ts";

const RECIPIENTS = 2_000;
const PROGRAM = fileURLToPath(new URL("frozen-scheduler.ts", import.meta.url));

let database: TestDatabase;

beforeAll(async () => {
	database = await testDatabase(migrations);
});

afterAll(() => database.drop());

test("a campaign whose scheduler stands still goes on within 15 s, and what that one had sent counts once", async () => {
	const { sql, url, schema } = database;
	const organizationId = uuidv7();
	await createCampaign(sql, organizationId, { recipients: phones(RECIPIENTS) });
	const frozen = spawn(process.execPath, [PROGRAM, url, schema], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	onTestFinished(() => void frozen.kill("SIGKILL"));
	await once(frozen.stdout, "data");
	const frozenAt = performance.now();

	const messaging = fakeMessaging();
	const ctx = contextWith(sql, messaging);
	await eventually(async () => {
		await runDueCampaign(ctx, neverStops);
		expect(messaging.accepted.size).toBe(RECIPIENTS);
	});
	expect(performance.now() - frozenAt).toBeLessThan(LONGEST_WAIT_MS);
	while (performance.now() < frozenAt + frozenMs(0)) {
		const startedAt = performance.now();
		const other = uuidv7();
		const others = fakeMessaging();
		await createCampaign(sql, other, { recipients: phones(10) });
		await eventually(async () => {
			await runDueCampaign(contextWith(sql, others), neverStops);
			expect(await readCampaign(sql, other)).toMatchObject({ accepted: 10 });
		});
		expect(performance.now() - startedAt).toBeLessThan(LONGEST_WAIT_MS);
	}

	frozen.kill("SIGCONT");
	await once(frozen, "exit");
	expect(await readCampaign(sql, organizationId)).toMatchObject({
		audience: RECIPIENTS,
		accepted: RECIPIENTS,
	});
});

test("a scheduler keeps its campaign during a call that is longer than its lease", async () => {
	const { sql } = database;
	const messaging = fakeMessaging();
	const ctx = contextWith(sql, messaging);
	const call = Promise.withResolvers<void>();
	messaging.meanwhile = () => call.promise;
	await createCampaign(sql, uuidv7(), { recipients: phones(1) });
	const first = runDueCampaign(ctx, neverStops);
	await eventually(() => expect(messaging.calls).toEqual([1]));
	const [held] =
		await sql`select lease_until from campaigns where lease_token is not null`;
	await eventually(async () => {
		const [late] = await sql`select now() > ${held?.lease_until} as over`;
		expect(late?.over).toBe(true);
	});
	expect(await runDueCampaign(ctx, neverStops)).toBe(0);
	call.resolve();
	await first;
});
