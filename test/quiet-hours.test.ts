import { randomInt } from "node:crypto";
import { eventually } from "@airtower/platform/testing/eventually";
import { toClockTime } from "@airtower/proto/rules/clock-time";
import postgres from "postgres";
import { expect, test } from "vitest";
import { call } from "../services/gateway/test/call.ts";
import { typedClient } from "./api/client.ts";
import { adminClients, createOrganization } from "./support/organization.ts";
import { type SharedSystem, sharedSystem } from "./support/shared-system.ts";

const QUOTA = 10;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Nepal is so far ahead of UTC, all year. */
const NEPAL_MS = 5.75 * HOUR_MS;
/** Longest waits on a busy machine, ms: for messages, and for the test. */
const SENT_MS = 120_000;
const LONGEST_MS = 600_000;

test(
	"a campaign and a bulk message wait through the quiet hours of their recipients and go at the end; a one-time password does not wait",
	async () => {
		const system = await sharedSystem();
		const { id, apiKey } = await createOrganization(
			adminClients(system),
			QUOTA,
		);
		const client = typedClient(system.baseUrl, apiKey);
		const statusOf = async (messageId: string) => {
			const { body } = await call(
				system.baseUrl,
				`/sms/messages/${messageId}`,
				{
					apiKey,
				},
			);
			return Object(body.message).status;
		};
		const end = await beginQuietHours(system, apiKey);
		const bulk = {
			to: nepaleseNumber(),
			message: "News",
			priority: "bulk" as const,
		};
		expect((await client.post("/sms/preview", bulk)).send_at).toBe(end);
		const waiting = await client.post("/sms/send", bulk);
		expect(waiting.send_at).toBe(end);
		const waitingId = waiting.provider.messageId;
		const { campaign } = await client.post("/campaigns", {
			name: "News",
			content: "News",
			recipients: [nepaleseNumber()],
		});
		const code = { ...bulk, to: nepaleseNumber(), priority: "otp" as const };
		const sent = await client.post("/sms/send", code);
		expect(sent).not.toHaveProperty("send_at");
		await eventually(
			async () =>
				expect(await statusOf(sent.provider.messageId)).toBe("delivered"),
			{ timeoutMs: SENT_MS, everyMs: 250 },
		);

		const ofCampaign = { campaign_id: campaign.id };
		const [campaignMessage] = await eventually(async () => {
			const { messages } = await client.get("/sms/messages", ofCampaign);
			expect(messages).toMatchObject([{ status: "scheduled", send_at: end }]);
			return messages;
		});
		const ids = [waitingId, campaignMessage?.id ?? ""];
		expect(await statusOf(waitingId)).toBe("scheduled");
		const readCampaign = async () =>
			(await client.get("/campaigns")).campaigns.find(
				(one) => one.id === campaign.id,
			);
		await eventually(async () =>
			expect(await readCampaign()).toMatchObject({
				status: "sending",
				stats: { accepted: 1, pending: 1 },
			}),
		);

		await reachEnd(system, id);
		await eventually(
			async () => {
				expect(await Promise.all(ids.map(statusOf))).toEqual([
					"delivered",
					"delivered",
				]);
				expect(await readCampaign()).toMatchObject({ status: "completed" });
			},
			{ timeoutMs: SENT_MS, everyMs: 250 },
		);
	},
	LONGEST_MS,
);

/** From an hour ago until a quarter hour in more than two hours, by the clock of Nepal; returns that quarter hour. */
async function beginQuietHours(
	system: SharedSystem,
	apiKey: string,
): Promise<string> {
	const quarterMs = 15 * MINUTE_MS;
	const end = (Math.floor(Date.now() / quarterMs) + 9) * quarterMs;
	const body = {
		start: clockIn(Date.now() - HOUR_MS),
		end: clockIn(end),
	};
	const method = "PUT";
	const set = await call(system.baseUrl, "/quiet-hours", {
		method,
		apiKey,
		body,
	});
	expect(set.body.quietHours).toEqual(body);
	return new Date(end).toISOString();
}

function clockIn(time: number): string {
	return toClockTime(Math.floor((time + NEPAL_MS) / MINUTE_MS) % 1_440);
}

/** None of those for which the simulated operator does something odd. */
function nepaleseNumber(): string {
	return `+977984${randomInt(1_000, 10_000)}111`;
}

/** The time comes for which the messages of an organization wait. */
async function reachEnd(system: SharedSystem, organizationId: string) {
	const sql = postgres(system.databaseUrl("messaging"), { max: 1 });
	await sql.begin(async (sql) => {
		await sql`
			update messaging.messages
			set send_at = now()
			where organization_id = ${organizationId}
			and send_at is not null
		`;
		await sql`
			update messaging.scheduled_messages
			set due_at = now()
			where organization_id = ${organizationId}
		`;
	});
	await sql.end();
}
