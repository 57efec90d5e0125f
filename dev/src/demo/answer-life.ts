import { createAdminClients } from "../start/admin-clients.ts";
import type { DemoSystem } from "./demo-system.ts";
import { ordinaryNumbers } from "./ordinary-numbers.ts";
import { callApi } from "./public-api.ts";
import { StepFailed, step, stepUntil } from "./step.ts";

interface InboundSms {
	readonly id: string;
	readonly text: string;
}

interface OptOut {
	readonly source: string;
	readonly created_at: string;
}

/** Number of the demo organization that phones write to. */
const INBOUND_NUMBER = "+33700555000";
const ANSWER = "Yes, at nine. Thank you!";
const WRITE_TIMEOUT_MS = 30_000;

/** A phone sends a text, which the API lists; then it writes STOP, and a send to it is refused. */
export async function showAnswer(
	dev: DemoSystem,
	smsc: { readonly controlUrl: string },
): Promise<void> {
	const [phone = ""] = ordinaryNumbers(1);
	await step(
		"number receives texts",
		() => addInboundNumber(dev),
		() => `${INBOUND_NUMBER}, of the demo organization`,
	);
	await write(smsc.controlUrl, phone, ANSWER);
	await showText(dev, phone);
	await write(smsc.controlUrl, phone, "STOP");
	await showOptOut(dev, phone);
	await step(
		"send refused",
		() => sendRefused(dev, phone),
		(reason) => `403, ${reason}`,
	);
}

function addInboundNumber(dev: DemoSystem): Promise<unknown> {
	return createAdminClients(dev).inboundAdmin.addInboundNumber({
		number: INBOUND_NUMBER,
		organizationId: dev.organizationId,
	});
}

function write(controlUrl: string, phone: string, text: string): Promise<void> {
	return step(
		"phone writes",
		async () => {
			const { ok, status } = await fetch(`${controlUrl}/messages`, {
				method: "POST",
				body: JSON.stringify([{ from: phone, to: INBOUND_NUMBER, text }]),
				signal: AbortSignal.timeout(WRITE_TIMEOUT_MS),
			});
			if (!ok) throw new StepFailed(`the simulator responded with ${status}`);
		},
		() => `${phone}: ${text}`,
	);
}

function showText(dev: DemoSystem, phone: string): Promise<InboundSms> {
	return stepUntil(
		"text listed",
		async () => {
			type Page = { messages: InboundSms[] };
			const path = `/sms/inbound?from=${encodeURIComponent(phone)}`;
			const { body } = await callApi<Page>(dev, "GET", path);
			return body.messages.find(({ text }) => text === ANSWER);
		},
		() => "it is not in GET /sms/inbound",
		({ id }) => `message ${id}`,
	);
}

function showOptOut(dev: DemoSystem, phone: string): Promise<OptOut> {
	return stepUntil(
		"opted out",
		async () => {
			type Page = { optOuts: OptOut[] };
			const path = `/opt-outs?recipient=${encodeURIComponent(phone)}`;
			const { body } = await callApi<Page>(dev, "GET", path);
			return body.optOuts[0];
		},
		() => "the number is not in GET /opt-outs",
		({ source, created_at }) => `by ${source}, ${created_at}`,
	);
}

/** Returns the reason. */
async function sendRefused(dev: DemoSystem, to: string): Promise<string> {
	const refusal = await callApi(dev, "POST", "/sms/send", {
		to,
		message: "Hello again",
	}).then(
		() => "",
		({ message }: Error) => message,
	);
	const reason = "recipient_opted_out";
	if (!refusal.startsWith("403 ") || !refusal.includes(reason))
		throw new StepFailed(refusal === "" ? "the message was accepted" : refusal);
	return reason;
}
