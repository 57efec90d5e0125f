import { uuidv7 } from "@airtower/platform/runtime/ids";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clientsOf, refusalOf } from "./support/clients.ts";
import { organizationWith } from "./support/messaging.ts";
import {
	acceptedAs,
	refusedForGood,
	refusedForNow,
	type Script,
	throttled,
	unclear,
} from "./support/scripted-operator.ts";
import {
	callSend,
	startTestService,
	type TestService,
} from "./support/service.ts";

let service: TestService;

beforeAll(async () => {
	service = await startTestService();
});

afterAll(() => service.close());

test("TraceMessage shows the life of a message without its text and number", async () => {
	const organization = await organizationWith(service, 5);
	const messageId = await callSend(service, organization, {
		body: "secret text",
	});
	await eventually(async () => {
		const { status } = await service.admin.traceMessage({ messageId });
		expect(status).toBe("submitted");
	});
	await service.operator.receipt(service.operator.idOf(messageId), "delivered");
	const trace = await eventually(async () => {
		const trace = await service.admin.traceMessage({ messageId });
		expect(trace.status).toBe("delivered");
		return trace;
	});
	expect(trace).toMatchObject({
		messageId,
		organizationId: organization,
		to: "*******5678",
		reason: "",
		route: "scripted",
		segments: 1,
		attempts: 1,
		possibleDuplicate: false,
	});
	expect(trace.parts).toMatchObject([
		{ number: 1, status: "delivered", operatorError: "DELIVRD 000" },
	]);
	const times = [trace.acceptedAt, trace.submittedAt, trace.finishedAt];
	const seconds = times.map((time) => Number(time?.seconds));
	expect(seconds).toEqual(seconds.toSorted((a, b) => a - b));
});

test.each([
	["refused for good", refusedForGood, "0x0B"],
	["refused for now", refusedForNow, "0x14"],
	["refused for no clear reason", unclear, "0x45"],
	["not taken for want of room", throttled, ""],
])(
	"TraceMessage shows what the operator said of a message %s",
	async (_, response, operatorError) => {
		const organization = await organizationWith(service, 5);
		const script: Script = (_, part) =>
			part === 2 ? response : acceptedAs("1");
		service.operator.parts = 2;
		service.operator.script = script;
		try {
			const messageId = await callSend(service, organization);
			await eventually(async () => {
				const trace = await service.admin.traceMessage({ messageId });
				expect(trace.parts).toHaveLength(1);
				expect(trace.operatorError).toBe(operatorError);
			});
		} finally {
			service.operator.parts = 1;
			service.operator.script = () => acceptedAs(uuidv7());
		}
	},
);

test("TraceMessage does not find another organization's message", async () => {
	const organization = await organizationWith(service, 5);
	const messageId = await callSend(service, organization);
	const { port } = service.running;
	const other = clientsOf(port, { organization: uuidv7() });
	const plain = clientsOf(port, { issuer: "gateway" });
	const unknown = { messageId: uuidv7() };
	expect(
		await Promise.all(
			[
				other.admin.traceMessage({ messageId }),
				service.admin.traceMessage(unknown),
				service.admin.traceMessage({ messageId: "x" }),
				plain.admin.traceMessage({ messageId }),
			].map(refusalOf),
		),
	).toEqual([
		"unknown_message",
		"unknown_message",
		"validation_failed",
		"PermissionDenied",
	]);
});

test("CountMessages counts by status, each organization's own", async () => {
	service.operator.script = ({ messageId, body }) =>
		body === "refuse me" ? refusedForGood : acceptedAs(messageId);
	const organizationId = await organizationWith(service, 5);
	const other = await organizationWith(service, 5);
	await callSend(service, organizationId);
	await callSend(service, organizationId);
	await callSend(service, other, { body: "refuse me" });
	await eventually(async () => {
		const mine = await service.admin.countMessages({ organizationId });
		expect(mine.counts).toEqual({ submitted: 2n });
		const theirs = await service.admin.countMessages({ organizationId: other });
		expect(theirs.counts).toEqual({ failed: 1n });
	});
	const { port } = service.running;
	const stranger = clientsOf(port, { organization: other });
	expect(
		await refusalOf(stranger.admin.countMessages({ organizationId })),
	).toBe("organization_mismatch");
});
