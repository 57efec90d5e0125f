import { transaction } from "@airtower/platform/database/database";
import { findOutboxEntries } from "@airtower/platform/events/outbox";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { DailyReportSchema } from "@airtower/proto/accounts/v1/events";
import { topics } from "@airtower/proto/rules/topics";
import { fromBinary } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { countMessages } from "../src/consumers/index.ts";
import { reportDays } from "../src/jobs/report-days.ts";
import { insertOrganization } from "../src/store/organizations.ts";
import { startTestAccounts, type TestAccounts } from "./support/accounts.ts";
import { startAccountsProcess } from "./support/accounts-process.ts";
import { eventsOf, type MadeMessage } from "./support/reported-messages.ts";

/** Nobody listens there. */
const NOWHERE = "http://127.0.0.1:1";
const DAY_MS = 86_400_000;
/** Of organizations that publish in turns. */
const SEVERAL = 5;
const NOW = new Date("2026-03-20T01:00:00Z");

let service: TestAccounts;

beforeAll(async () => {
	service = await startTestAccounts({ clock: () => NOW });
});
afterAll(() => service.close());

async function newOrganization(): Promise<string> {
	const id = uuidv7();
	await transaction(service.ctx.sql, (sql) =>
		insertOrganization(sql, {
			id,
			name: id,
			email: "a@example.com",
			state: "active",
			defaultCountry: null,
		}),
	);
	return id;
}

/** Counts an SMS that was delivered, and one that nobody knows of, in each of these days. */
async function sendOn(organizationId: string, days: readonly string[]) {
	const messages = days.flatMap((day) =>
		["11:30", "12:30"].map((time): MadeMessage => {
			const sms = {
				id: uuidv7(Date.parse(`${day}T${time}:00Z`)),
				organizationId,
				channel: "sms",
				recipient: "+33612345678",
				route: "north",
				sender: "Airtower",
				template: null,
				campaignId: null,
				segments: 2,
			} as const;
			return { ...sms, end: time === "11:30" ? DELIVERED : undefined };
		}),
	);
	await transaction(service.ctx.sql, (sql) =>
		countMessages(sql, eventsOf(messages, 10), NOW),
	);
}

const DELIVERED = {
	status: "delivered",
	reason: "",
	route: "north",
	seconds: 4,
	costMicros: 90_000,
	currency: "EUR",
} as const;

/** What waits to be published about an organization, in the order of days. */
async function reportsOf(organizationId: string) {
	const entries = await findOutboxEntries(service.observer, 10_000);
	return entries
		.filter(({ event }) => event.key === organizationId)
		.map(({ event }) => {
			expect(event.topic).toBe(topics.accountsDailyReport);
			return fromBinary(DailyReportSchema, event.payload);
		})
		.toSorted((a, b) => (a.day < b.day ? -1 : 1));
}

const daysOf = async (organizationId: string) =>
	(await reportsOf(organizationId)).map(({ day }) => day);

test("an organization is told once of a day with messages, and what it is told is its report of that day", async () => {
	const [own, silent] = [await newOrganization(), await newOrganization()];
	await sendOn(own, ["2026-03-18", "2026-03-19", "2026-03-20"]);
	expect(await reportDays(service.ctx)).toBe(2);
	await sendOn(own, ["2026-03-19"]);
	expect(await reportDays(service.ctx)).toBe(0);
	expect(await daysOf(own)).toEqual(["2026-03-18", "2026-03-19"]);
	expect(await daysOf(silent)).toEqual([]);
	const [told] = await reportsOf(own);
	const fromMs = Date.parse("2026-03-18");
	const { sums } = await service.account.getDeliveryReport({
		organizationId: own,
		groupBy: "day",
		dateFrom: timestampFromMs(fromMs),
		dateTo: timestampFromMs(fromMs + DAY_MS),
	});
	expect(told).toMatchObject({ organizationId: own, sums });
	expect(sums).toMatchObject([
		{ value: "2026-03-18", accepted: 2n, delivered: 1n, unknown: 1n },
	]);
});

test("a day is told of from 01:00 of the next one on, and of days that were missed the last seven", async () => {
	const organizationId = await newOrganization();
	await sendOn(organizationId, ["2026-03-12", "2026-03-13", "2026-03-19"]);
	const early = () => new Date(NOW.getTime() - 1);
	await reportDays({ ...service.ctx, clock: early });
	expect(await daysOf(organizationId)).toEqual(["2026-03-12", "2026-03-13"]);
	const other = await newOrganization();
	await sendOn(other, ["2026-03-12", "2026-03-13", "2026-03-19"]);
	await reportDays(service.ctx);
	expect(await daysOf(other)).toEqual(["2026-03-13", "2026-03-19"]);
	expect(await daysOf(organizationId)).toEqual([
		"2026-03-12",
		"2026-03-13",
		"2026-03-19",
	]);
});

test("several processes at once tell each organization once", async () => {
	const organizations: string[] = [];
	for (let nth = 0; nth < SEVERAL; nth++) {
		const organizationId = await newOrganization();
		await sendOn(organizationId, ["2026-03-17", "2026-03-18"]);
		organizations.push(organizationId);
	}
	await Promise.all(
		Array.from({ length: SEVERAL }, () => reportDays(service.ctx)),
	);
	for (const organizationId of organizations)
		expect(await daysOf(organizationId)).toEqual(["2026-03-17", "2026-03-18"]);
});

test("killed before its commit it has told nobody, and another process tells once", async () => {
	const organizationId = await newOrganization();
	// Days of the process's own clock.
	const now = new Date();
	const day = new Date(now.getTime() - 3 * DAY_MS).toISOString().slice(0, 10);
	await sendOn(organizationId, [day]);
	const dying = await startAccountsProcess({
		database: service.database,
		messagingUrl: NOWHERE,
		faultPoints: "accounts.daily_report_before_commit",
		untilReady: false,
	});
	onTestFinished(() => dying.signal("SIGKILL"));
	expect(await dying.ended).toBe("SIGKILL");
	for (let times = 0; times < 2; times++) {
		await reportDays({ ...service.ctx, clock: () => now });
		expect(await daysOf(organizationId)).toEqual([day]);
	}
});
