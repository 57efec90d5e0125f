import type { TraceMessageResponse } from "@airtower/proto/messaging/v1/admin";
import type { CallbackBody, ReceivedCallback } from "../receiver.ts";
import {
	type AdminClients,
	createAdminClients,
} from "../start/admin-clients.ts";
import type { DevFile } from "../start/dev-file.ts";
import { callApi } from "./public-api.ts";
import { StepFailed, step } from "./step.ts";
import { until } from "./until.ts";
import { verifiesByHand, verifiesWithLibrary } from "./verify-callback.ts";

interface Accepted {
	readonly status: string;
	readonly remainingQuota: number;
	readonly provider: { readonly messageId: string };
}

type Trace = TraceMessageResponse;

const TRACE_TIMEOUT_MS = 40_000;
const CALLBACK_TIMEOUT_MS = 30_000;
const SUBMITTED = ["submitted", "delivered", "failed"];
const FINAL = ["delivered", "failed"];

/** One message from its acceptance to the verified callback. */
export async function showSms(
	dev: DevFile,
	to: string,
	secret: string,
	callbacks: readonly ReceivedCallback[],
): Promise<void> {
	const messageId = await send(dev, to);
	const clients = createAdminClients(dev);
	await submitted(clients, messageId);
	await delivered(clients, messageId);
	const callback = await callbackOf(messageId, callbacks);
	await verified(secret, callback);
}

async function send(dev: DevFile, to: string): Promise<string> {
	const { body } = await step(
		"accepted",
		() =>
			callApi<Accepted>(dev, "POST", "/sms/send", {
				to,
				message: "Hello from Airtower",
				clientReference: "demo",
			}),
		({ status, body }) =>
			`HTTP ${status}, message ${body.provider.messageId}, quota left ${body.remainingQuota}`,
	);
	return body.provider.messageId;
}

function submitted(clients: AdminClients, messageId: string): Promise<Trace> {
	return step(
		"submitted",
		() => untilStatus(clients, messageId, SUBMITTED),
		({ route, parts }) =>
			`route ${route}, operator's id ${parts.map((part) => part.operatorMessageId).join(", ")}`,
	);
}

function delivered(clients: AdminClients, messageId: string): Promise<Trace> {
	return step(
		"delivered",
		async () => {
			const trace = await untilStatus(clients, messageId, FINAL);
			if (trace.status !== "delivered")
				throw new StepFailed(
					`the message ended as ${trace.status} (${trace.reason})`,
				);
			return trace;
		},
		({ to, segments }) => `to ${to}, ${segments} segment(s)`,
	);
}

function untilStatus(
	{ messagingAdmin }: AdminClients,
	messageId: string,
	wanted: readonly string[],
): Promise<Trace> {
	let last = "unknown";
	return until(
		async () => {
			const trace = await messagingAdmin.traceMessage({ messageId });
			last = trace.status;
			return wanted.includes(last) ? trace : undefined;
		},
		TRACE_TIMEOUT_MS,
		() => `the message is still ${last}`,
	);
}

function callbackOf(
	messageId: string,
	callbacks: readonly ReceivedCallback[],
): Promise<ReceivedCallback> {
	return step(
		"callback received",
		() =>
			until(
				() =>
					callbacks.find((each) => bodyOf(each).data.message_id === messageId),
				CALLBACK_TIMEOUT_MS,
				() => "none has come",
			),
		(callback) => `${bodyOf(callback).type}, event ${bodyOf(callback).id}`,
	);
}

function bodyOf(callback: ReceivedCallback): CallbackBody {
	return JSON.parse(callback.body) as CallbackBody;
}

async function verified(
	secret: string,
	callback: ReceivedCallback,
): Promise<void> {
	const check = async (isValid: boolean) => {
		if (!isValid) throw new StepFailed("the signature does not match");
	};
	await step(
		"signature verified",
		() => check(verifiesWithLibrary(secret, callback)),
		() => "by the standardwebhooks package",
	);
	await step(
		"signature verified",
		() => check(verifiesByHand(secret, callback)),
		() => "by hand, HMAC-SHA256",
	);
}
