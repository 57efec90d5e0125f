import { randomBytes, randomUUID } from "node:crypto";
import { transaction } from "@airtower/platform/database/database";
import { startConsumer } from "@airtower/platform/events/consumer";
import { createPostgresEventBus } from "@airtower/platform/events/postgres/event-bus";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { createMetrics } from "@airtower/platform/runtime/metrics";
import { adminUrl, asAdmin } from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import { silentLog } from "@airtower/platform/testing/log";
import { DailyReportSchema } from "@airtower/proto/accounts/v1/events";
import { topics } from "@airtower/proto/rules/topics";
import { fromBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import postgres from "postgres";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { countMessages, reportsGroup } from "../src/consumers/index.ts";
import { insertOrganization } from "../src/store/organizations.ts";
import { startTestAccounts, type TestAccounts } from "./support/accounts.ts";
import { startAccountsProcess } from "./support/accounts-process.ts";
import {
	eventsOf,
	GROUPS,
	linesOf,
	type MadeMessage,
	madeMessages,
	recount,
	twoDays,
} from "./support/reported-messages.ts";

/** Nobody listens there. */
const NOWHERE = "http://127.0.0.1:1";
const GROUP = "accounts.reports";
const DAY_MS = 86_400_000;
const NOW_MS = Date.now();
const YESTERDAY_MS = NOW_MS - (NOW_MS % DAY_MS) - DAY_MS;

/** Messages of a day, each of which an event tells of, and events that are published together. */
const MANY = 20_000;
const BATCH = 500;
const MESSAGE: Omit<MadeMessage, "id" | "organizationId"> = {
	channel: "sms",
	recipient: "+33612345678",
	route: "north",
	sender: "Airtower",
	template: null,
	campaignId: null,
	segments: 1,
	end: undefined,
};

/** Another replica on the same database, which reads what the dead one counted. */
let survivor: TestAccounts;
let bus: TestBus;

beforeAll(async () => {
	survivor = await startTestAccounts();
	bus = await openBus();
});

afterAll(async () => {
	await bus.drop();
	await survivor.close();
});

type TestBus = Awaited<ReturnType<typeof openBus>>;

/** A bus that no other test's service follows. */
async function openBus() {
	const name = `bus_${randomBytes(6).toString("hex")}`;
	await asAdmin((sql) => sql`create database ${sql(name)}`);
	const url = new URL(adminUrl());
	url.pathname = `/${name}`;
	const bus = await createPostgresEventBus({
		databaseUrl: url.href,
		clientId: name,
		log: silentLog,
	});
	const sql = postgres(url.href, { max: 1, onnotice: () => {} });
	// What a group has not dealt with is kept, however long the test takes.
	await sql`
		insert into bus.group_positions (group_name, topic, position)
		select 'keeper', topic, 0
		from unnest(${Object.values(topics)}::text[]) as topic
	`;
	return {
		url: url.href,
		bus,
		/** Whether the group has dealt with all that is published. */
		isDone: async () => {
			const [row] = await sql<{ done: boolean }[]>`
				select bool_and(last <= coalesce(position, 0)) as done
				from (select topic, max(position) as last from bus.events group by topic) as published
				left join bus.group_positions on group_positions.topic = published.topic and group_name = ${GROUP}
			`;
			return row?.done === true;
		},
		/** The reports of days of an organization that were published. */
		dailyReports: async (organizationId: string) => {
			const rows = await sql<{ payload: Buffer }[]>`
				select payload
				from bus.events
				where topic = ${topics.accountsDailyReport}
				and organization_id = ${organizationId}
			`;
			return rows.map(({ payload }) => fromBinary(DailyReportSchema, payload));
		},
		rewind: () => sql`
			update bus.group_positions
			set position = 0
			where group_name = ${GROUP}
		`,
		drop: async () => {
			await bus.close();
			await sql.end();
			await asAdmin((sql) => sql`drop database ${sql(name)} with (force)`);
		},
	};
}

/** The service's consumer in this process; ends once it has dealt with all that is published. */
async function consumeAll(): Promise<void> {
	const { sql } = survivor.ctx;
	const metrics = createMetrics("test");
	const consumer = await startConsumer({
		...reportsGroup(survivor.ctx),
		sql,
		bus: bus.bus,
		log: silentLog,
		metrics,
	});
	await eventually(async () => expect(await bus.isDone()).toBe(true));
	await consumer.close();
}

test("killed between its commit and the offset, started anew and replayed from 0, it counts each message once", async () => {
	const organizationId = randomUUID();
	const messages = fc
		.sample(madeMessages(organizationId, YESTERDAY_MS), {
			numRuns: 20,
			seed: 1,
		})
		.flat();
	await bus.bus.publish(eventsOf(messages, 5));
	const expectExact = async () => {
		for (const groupBy of GROUPS) {
			const asked = { organizationId, groupBy, ...twoDays(YESTERDAY_MS) };
			const { sums } = await survivor.account.getDeliveryReport(asked);
			expect(linesOf(sums), groupBy).toEqual(recount(messages, groupBy));
		}
	};
	const dying = await startAccountsProcess({
		database: survivor.database,
		messagingUrl: NOWHERE,
		busUrl: bus.url,
		faultPoints: "consumer.after_commit",
		untilReady: false,
	});
	onTestFinished(() => dying.signal("SIGKILL"));
	expect(await dying.ended).toBe("SIGKILL");
	expect(await bus.isDone()).toBe(false);
	await consumeAll();
	await expectExact();

	await bus.rewind();
	expect(await bus.isDone()).toBe(false);
	await consumeAll();
	await expectExact();
});

test("a process that starts after an outage tells of a day once all that waited on the bus is in the counts", async () => {
	const organizationId = randomUUID();
	await transaction(survivor.ctx.sql, (sql) =>
		insertOrganization(sql, {
			id: organizationId,
			name: organizationId,
			email: "a@example.com",
			state: "active",
			defaultCountry: null,
		}),
	);
	const dayMs = YESTERDAY_MS - DAY_MS;
	const messages = Array.from({ length: MANY }, (_, nth): MadeMessage => {
		const id = uuidv7(dayMs + nth * 1_000);
		return { ...MESSAGE, id, organizationId };
	});
	const events = eventsOf(messages, 1);
	const [counted = [], ...waiting] = Array.from(
		{ length: events.length / BATCH },
		(_, nth) => events.slice(nth * BATCH, (nth + 1) * BATCH),
	);
	await transaction(survivor.ctx.sql, (sql) =>
		countMessages(sql, counted, new Date()),
	);
	for (const batch of waiting) await bus.bus.publish(batch);
	const started = await startAccountsProcess({
		database: survivor.database,
		messagingUrl: NOWHERE,
		busUrl: bus.url,
	});
	onTestFinished(() => started.signal("SIGKILL"));
	const reports = await eventually(
		async () => {
			const told = await bus.dailyReports(organizationId);
			expect(told).toHaveLength(1);
			return told;
		},
		{ timeoutMs: 150_000, everyMs: 500 },
	);
	expect(reports).toMatchObject([{ sums: [{ accepted: BigInt(MANY) }] }]);
}, 200_000);
