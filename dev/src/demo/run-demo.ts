import { setTimeout as delay } from "node:timers/promises";
import type { TraceMessageResponse } from "@airtower/proto/messaging/v1/admin";
import {
	type CallbackBody,
	type ReceivedCallback,
	startReceiver,
} from "../receiver.ts";
import {
	type AdminClients,
	createAdminClients,
} from "../start/admin-clients.ts";
import type { DevFile } from "../start/dev-file.ts";
import { callApi } from "./public-api.ts";
import { StepFailed, step } from "./step.ts";
import { verifiesByHand, verifiesWithLibrary } from "./verify-callback.ts";

interface Registered {
	readonly webhookEndpoint: { readonly id: string };
	readonly signingSecret: string;
}

interface Accepted {
	readonly status: string;
	readonly remainingQuota: number;
	readonly provider: { readonly messageId: string };
}

type Trace = TraceMessageResponse;

const TRACE_TIMEOUT_MS = 40_000;
const CALLBACK_TIMEOUT_MS = 30_000;
const POLL_MS = 25;
const SUBMITTED = ["submitted", "delivered", "failed"];
const FINAL = ["delivered", "failed"];

/**
 * Sends one message and watches it to its end, printing each step as it happens.
 * @throws StepFailed naming the first step that did not happen
 */
export async function runDemo(dev: DevFile, to: string): Promise<void> {
	const callbacks: ReceivedCallback[] = [];
	const receiver = await startReceiver({
		onCallback: (callback) => callbacks.push(callback),
	});
	console.log(`\n  The life of one message, on ${dev.baseUrl}\n`);
	try {
		const endpoint = await register(dev, receiver.url);
		try {
			await followMessage(dev, to, endpoint.signingSecret, callbacks);
		} finally {
			await remove(dev, endpoint.webhookEndpoint.id);
		}
	} finally {
		await receiver.close();
	}
	console.log("\n  All of it was seen.\n");
}

function register(dev: DevFile, url: string): Promise<Registered> {
	return step(
		"webhook registered",
		async () => {
			const { body } = await callApi<Registered>(dev, "POST", "/webhooks", {
				url,
				subscribed_events: ["message.delivered", "message.failed"],
			});
			return body;
		},
		() => url,
	);
}

async function followMessage(
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

async function untilStatus(
	{ messagingAdmin }: AdminClients,
	messageId: string,
	wanted: readonly string[],
): Promise<Trace> {
	const deadline = Date.now() + TRACE_TIMEOUT_MS;
	for (;;) {
		const trace = await messagingAdmin.traceMessage({ messageId });
		if (wanted.includes(trace.status)) return trace;
		if (Date.now() > deadline)
			throw new StepFailed(
				`after ${TRACE_TIMEOUT_MS / 1_000} s the message is still ${trace.status}`,
			);
		await delay(POLL_MS);
	}
}

function callbackOf(
	messageId: string,
	callbacks: readonly ReceivedCallback[],
): Promise<ReceivedCallback> {
	return step(
		"callback received",
		async () => {
			const deadline = Date.now() + CALLBACK_TIMEOUT_MS;
			for (;;) {
				const found = callbacks.find(
					(each) => bodyOf(each).data.message_id === messageId,
				);
				if (found !== undefined) return found;
				if (Date.now() > deadline)
					throw new StepFailed(
						`none came within ${CALLBACK_TIMEOUT_MS / 1_000} s`,
					);
				await delay(POLL_MS);
			}
		},
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

function remove(dev: DevFile, endpointId: string): Promise<unknown> {
	return step(
		"webhook removed",
		() => callApi(dev, "DELETE", `/webhooks/${endpointId}`),
		() => "nothing of the demo is left",
	);
}
