import { expect, it } from "vitest";
import { messageToProto } from "./message-to-proto.ts";

const at = (ms: number) => new Date(ms);

it("shows the steps of a message in their order, though the provider tells whole seconds", () => {
	const { createdAt, sentAt, deliveredAt, readAt } = messageToProto({
		id: "",
		organizationId: "",
		phoneNumberId: "",
		direction: "outbound",
		type: "text",
		recipient: null,
		status: "read",
		billingCategory: "service",
		errorCode: null,
		templateName: null,
		templateLanguage: null,
		clientReference: null,
		createdAt: at(1_721),
		sentAt: at(1_849),
		deliveredAt: at(1_000),
		readAt: at(3_000),
	});
	const times = [createdAt, sentAt, deliveredAt, readAt];
	expect(times).toMatchObject([
		{ nanos: 721_000_000 },
		{ nanos: 849_000_000 },
		{ nanos: 849_000_000 },
		{ nanos: 0, seconds: 3n },
	]);
});
