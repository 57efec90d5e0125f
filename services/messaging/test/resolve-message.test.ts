import type { BusEvent } from "@airtower/platform/events/event-bus";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { eventually } from "@airtower/platform/testing/eventually";
import { MessageOutcomeSchema } from "@airtower/proto/common/v1/message_outcome";
import { topics } from "@airtower/proto/rules/topics";
import { fromBinary } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { clientsOf, refusalOf } from "./support/clients.ts";
import { organizationWith } from "./support/messaging.ts";
import { statusOf } from "./support/rows.ts";
import { acceptedAs, noResponse } from "./support/scripted-operator.ts";
import {
	callSend,
	startTestService,
	type TestService,
} from "./support/service.ts";

let service: TestService;
let organization: string;

const events: BusEvent[] = [];

beforeAll(async () => {
	service = await startTestService();
	organization = await organizationWith(service, 100);
	await service.events.bus.subscribe({
		group: "test",
		topics: [topics.messagingOutcome],
		onBatch: async (batch) => {
			events.push(...batch);
		},
	});
});

afterAll(() => service.close());

beforeEach(() => {
	service.operator.script = () => noResponse;
});

async function sendUnknown(): Promise<string> {
	const id = await callSend(service, organization, { body: "secret text" });
	await eventually(async () =>
		expect(await statusOf(service.sql, id)).toBe("unknown"),
	);
	return id;
}

function outcomesOf(messageId: string): string[] {
	return events
		.filter((event) => event.key === messageId)
		.map((event) => fromBinary(MessageOutcomeSchema, event.payload))
		.map(({ status, errorCode }) => errorCode || status);
}

async function listed(messageId: string) {
	const { messages } = await service.admin.listMessages({ status: "unknown" });
	return messages.find((one) => one.messageId === messageId);
}

test("unknown messages are listed, the longest unknown first, with what becomes of them by itself", async () => {
	const first = await sendUnknown();
	const ids = [first, await sendUnknown()];
	const { messages } = await service.admin.listMessages({ status: "unknown" });
	expect(messages.map(({ messageId }) => messageId)).toEqual(
		expect.arrayContaining(ids),
	);
	const since = messages.map(({ unknownSince }) =>
		Number(unknownSince?.seconds),
	);
	expect(since).toEqual(since.toSorted((a, b) => a - b));
	const one = await listed(first);
	expect(one).toMatchObject({
		organizationId: organization,
		to: "*******5678",
		route: "scripted",
		attempts: 1,
	});
	if (one?.resendAt === undefined || one.failsAt === undefined)
		throw new Error("Its times are missing.");
	const resendAt = timestampDate(one.resendAt).getTime();
	expect(resendAt - Date.now()).toBeLessThanOrEqual(60_000);
	expect(timestampDate(one.failsAt).getTime()).toBeGreaterThan(resendAt);
});

test.each([
	["delivered", "delivered"],
	["failed", "operator_error"],
])(
	"an admin's %s ends an unknown message once, with its event and its place in the audit, and it is not sent again",
	async (outcome, event) => {
		const messageId = await sendUnknown();
		const { status } = await service.admin.resolveMessage({
			messageId,
			outcome,
		});
		expect(status).toBe(outcome);
		expect(await listed(messageId)).toBeUndefined();
		const audit = await service.sql`
			select organization_id, actor_kind, action, before, after
			from audit_entries
			where subject = ${messageId}
		`;
		expect(audit).toEqual([
			{
				organization_id: organization,
				actor_kind: "admin",
				action: "resolve_message",
				before: { status: "unknown" },
				after: { outcome, status },
			},
		]);
		const again = service.admin.resolveMessage({ messageId, outcome });
		expect(await refusalOf(again)).toBe("not_unknown");
		await eventually(() => expect(outcomesOf(messageId)).toEqual([event]));
		const submits = service.operator.submits.filter(
			(one) => one.messageId === messageId,
		);
		expect(submits).toHaveLength(1);
	},
);

test("an admin's resend sends an unknown message at once, marked", async () => {
	const messageId = await sendUnknown();
	service.operator.script = () => acceptedAs(uuidv7());
	await service.admin.resolveMessage({ messageId, outcome: "resend" });
	await eventually(async () => {
		const trace = await service.admin.traceMessage({ messageId });
		expect(trace).toMatchObject({
			status: "submitted",
			attempts: 2,
			possibleDuplicate: true,
		});
	});
});

test("what is not unknown is not resolved, and only by admins of every organization", async () => {
	const messageId = await sendUnknown();
	const { port } = service.running;
	const own = clientsOf(port, { organization });
	const plain = clientsOf(port, { issuer: "gateway" });
	const outcome = "delivered";
	expect(
		await Promise.all(
			[
				service.admin.resolveMessage({ messageId: uuidv7(), outcome }),
				service.admin.resolveMessage({ messageId, outcome: "forgotten" }),
				service.admin.listMessages({ status: "submitted" }),
				own.admin.resolveMessage({ messageId, outcome }),
				own.admin.listMessages({ status: "unknown" }),
				plain.admin.resolveMessage({ messageId, outcome }),
				plain.admin.listMessages({ status: "unknown" }),
			].map(refusalOf),
		),
	).toEqual([
		"unknown_message",
		"validation_failed",
		"validation_failed",
		"organization_mismatch",
		"organization_mismatch",
		"PermissionDenied",
		"PermissionDenied",
	]);
	expect(await statusOf(service.sql, messageId)).toBe("unknown");
});

test("how many messages are unknown and for how long is measured", async () => {
	await sendUnknown();
	await service.sql`update unanswered set sent_at = now() - interval '1 hour'`;
	await eventually(async () => {
		const { opsPort } = service.running;
		const page = await fetch(`http://127.0.0.1:${opsPort}/metrics`);
		const metrics = await page.text();
		const of = (name: string) =>
			Number(new RegExp(`^${name}(?:\\{.*\\})? (.+)$`, "m").exec(metrics)?.[1]);
		expect(of("messaging_unknown_messages")).toBeGreaterThan(0);
		expect(of("messaging_unknown_age_seconds")).toBeGreaterThan(3_500);
	});
});
