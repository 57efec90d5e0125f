import { type Db, transaction } from "@airtower/platform/database/database";
import type { BusEvent } from "@airtower/platform/events/event-bus";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { createMetrics } from "@airtower/platform/runtime/metrics";
import { testDatabase } from "@airtower/platform/testing/database";
import { silentLog } from "@airtower/platform/testing/log";
import { AccountChangeSchema } from "@airtower/proto/accounts/v1/events";
import { MessageOutcomeSchema } from "@airtower/proto/common/v1/message_outcome";
import { topics } from "@airtower/proto/rules/topics";
import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { afterAll } from "vitest";
import type { Context } from "../src/context.ts";
import { runDueCampaign } from "../src/jobs/run-campaigns.ts";
import { migrations } from "../src/migrations.ts";
import {
	type Campaign,
	findCampaigns,
	insertCampaign,
	type NewCampaign,
} from "../src/store/campaigns.ts";
import { insertContact } from "../src/store/contacts.ts";
import { insertRecipientImports } from "../src/store/recipient-imports.ts";
import { createTelemetry } from "../src/telemetry.ts";
import { type FakeMessaging, SENDER_ID } from "./fake-messaging.ts";

/** A schema with the service's tables for the tests of a file. */
export async function ownDatabase(): Promise<Db> {
	const database = await testDatabase(migrations);
	afterAll(() => database.drop());
	return database.sql;
}

export const neverStops = new AbortController().signal;

/** One of 100,000 phone numbers. */
export function phone(index: number): string {
	return `+336123${String(index).padStart(5, "0")}`;
}

export function phones(count: number): string[] {
	return Array.from({ length: count }, (_, index) => phone(index));
}

export function contextWith(sql: Db, messaging: FakeMessaging): Context {
	return {
		sql,
		log: silentLog,
		telemetry: createTelemetry(createMetrics("campaigns")),
		clock: () => new Date(),
		messaging: messaging.client,
		bounds: { contacts: 100_000, openCampaigns: 100, previewed: 100_000 },
		retention: { bodyDays: 30, recordMonths: 13 },
	};
}

/** Ends the wait of a cancelled campaign for calls from before its cancellation. */
export async function endCalls(sql: Db, campaignId: string): Promise<void> {
	await sql`
		update campaigns
		set completed_at = completed_at - interval '1 minute'
		where id = ${campaignId}
	`;
	await makeDue(sql, campaignId);
}

/** Stores a campaign, due at once unless it is scheduled. */
export async function createCampaign(
	sql: Db,
	organizationId: string,
	audience: { tags?: string[]; match?: "all" | "any"; recipients?: string[] },
	fields: Partial<NewCampaign> = {},
): Promise<Campaign> {
	return transaction(sql, async (sql) => {
		const campaign = await insertCampaign(sql, {
			id: uuidv7(),
			organizationId,
			name: "Sale",
			messageTemplate: "Hi {{name|you}}",
			senderId: SENDER_ID,
			senderName: "Airtower",
			audienceTags: audience.tags ?? [],
			audienceTagMatchMode: audience.match ?? "all",
			defaultCountry: "FR",
			scheduledAt: null,
			...fields,
		});
		await insertRecipientImports(sql, campaign.id, audience.recipients ?? []);
		return campaign;
	});
}

/** The organization's newest campaign. */
export async function readCampaign(
	sql: Db,
	organizationId: string,
): Promise<Campaign> {
	const [campaign] = await findCampaigns(sql, organizationId, {
		limit: 1,
		after: undefined,
	});
	if (campaign === undefined) throw new Error("no campaign");
	return campaign;
}

/** Runs due campaigns until none is left. */
export async function runAll(ctx: Context): Promise<void> {
	for (let rounds = 0; rounds < 20; rounds++) {
		if ((await runDueCampaign(ctx, neverStops)) === 0) return;
	}
}

/** Ends any pause between tries. */
export async function makeDue(sql: Db, campaignId: string): Promise<void> {
	await sql`update campaigns set due_at = now(), lease_until = null where id = ${campaignId}`;
}

export async function addContacts(
	sql: Db,
	organizationId: string,
	count: number,
	tagsOf: (index: number) => string[],
	nameOf: (index: number) => string = (index) => `Name ${index}`,
): Promise<void> {
	for (let index = 0; index < count; index++)
		await transaction(sql, (sql) =>
			insertContact(sql, organizationId, {
				name: nameOf(index),
				phone: phone(index),
				email: null,
				tags: tagsOf(index),
			}),
		);
}

/** The event by which accounts tells of a change. */
export function accountChange(
	organizationId: string,
	change: NonNullable<MessageInitShape<typeof AccountChangeSchema>["change"]>,
): BusEvent {
	return {
		id: uuidv7(),
		topic: topics.accountsChange,
		type: "account.change",
		key: organizationId,
		organizationId,
		payload: toBinary(
			AccountChangeSchema,
			create(AccountChangeSchema, { organizationId, change }),
		),
	};
}

/** The event by which messaging tells the end of a message. */
export function outcome(
	{ id: campaignId, organizationId }: Pick<Campaign, "id" | "organizationId">,
	to: string,
	messageId: string,
	status: string,
): BusEvent {
	const payload = toBinary(
		MessageOutcomeSchema,
		create(MessageOutcomeSchema, {
			messageId,
			organizationId,
			campaignId,
			to,
			status,
			channel: "sms",
			errorCode: status === "failed" ? "undeliverable" : "",
		}),
	);
	return {
		id: uuidv7(),
		topic: topics.messagingOutcome,
		type: "message.outcome",
		key: messageId,
		organizationId,
		payload,
	};
}
