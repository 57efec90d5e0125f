import type { TraceMessageResponse } from "@airtower/proto/messaging/v1/admin";
import type { CallbackBody, ReceivedCallback } from "../load/receiver.ts";
import { createAdminClients } from "../start/admin-clients.ts";
import type { DemoSystem } from "./demo-system.ts";
import { callApi } from "./public-api.ts";
import { StepFailed, step, stepUntil } from "./step.ts";
import { verifiesByHand, verifiesWithLibrary } from "./verify-callback.ts";

interface Accepted {
	readonly remainingQuota: number;
	readonly provider: { readonly messageId: string };
}

const SUBMITTED = ["submitted", "delivered", "failed"];

export async function showSms(
	dev: DemoSystem,
	to: string,
	secret: string,
	callbacks: readonly ReceivedCallback[],
): Promise<void> {
	const message = { message: "Hello from Airtower", clientReference: "demo" };
	const { body } = await step(
		"accepted",
		() => callApi<Accepted>(dev, "POST", "/sms/send", { to, ...message }),
		({ status, body }) =>
			`HTTP ${status}, message ${body.provider.messageId}, quota left ${body.remainingQuota}`,
	);
	const { messageId } = body.provider;
	await showDelivery(dev, messageId);
	const callback = await showCallback(messageId, callbacks);
	await showSignature("the standardwebhooks package", () =>
		verifiesWithLibrary(secret, callback),
	);
	await showSignature("hand, HMAC-SHA256", () =>
		verifiesByHand(secret, callback),
	);
}

async function showDelivery(dev: DemoSystem, messageId: string): Promise<void> {
	const { messagingAdmin } = createAdminClients(dev);
	let last = "unknown";
	const trace = async () => {
		const found = await messagingAdmin.traceMessage({ messageId });
		last = found.status;
		return found;
	};
	const otherwise = () => `the message is still ${last}`;
	await stepUntil(
		"submitted",
		async () => {
			const found = await trace();
			return SUBMITTED.includes(last) ? found : undefined;
		},
		otherwise,
		({ route, parts }) =>
			`route ${route}, operator's id ${parts.map((part) => part.operatorMessageId).join(", ")}`,
	);
	await stepUntil(
		"delivered",
		async () => deliveredIn(await trace()),
		otherwise,
		({ to, segments }) => `to ${to}, ${segments} segment(s)`,
	);
}

function deliveredIn(trace: TraceMessageResponse) {
	if (trace.status === "failed")
		throw new StepFailed(`the message ended as failed (${trace.reason})`);
	return trace.status === "delivered" ? trace : undefined;
}

function showCallback(
	messageId: string,
	callbacks: readonly ReceivedCallback[],
): Promise<ReceivedCallback> {
	const bodyOf = ({ body }: ReceivedCallback) =>
		JSON.parse(body) as CallbackBody;
	return stepUntil(
		"callback received",
		() => callbacks.find((each) => bodyOf(each).data.message_id === messageId),
		() => "none has come",
		(callback) => `${bodyOf(callback).type}, event ${bodyOf(callback).id}`,
	);
}

function showSignature(how: string, isValid: () => boolean): Promise<void> {
	return step(
		"signature verified",
		async () => {
			if (!isValid()) throw new StepFailed("the signature does not match");
		},
		() => `by ${how}`,
	);
}
