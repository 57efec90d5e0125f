import type { DevFile } from "../start/dev-file.ts";
import { callApi } from "./public-api.ts";
import { StepFailed, step } from "./step.ts";
import { until } from "./until.ts";

interface Accepted {
	readonly messageId: string;
}

interface Message {
	readonly id: string;
	readonly status: string;
}

interface Conversation {
	readonly recipient: string | null;
	readonly status: string;
	readonly window_expires_at: string;
}

const WHATSAPP_TIMEOUT_MS = 30_000;
const USER = "+33612349999";

/** A template to a user, the user's answer, and a text back inside the service window. */
export async function showWhatsapp(dev: DevFile): Promise<void> {
	const { phoneNumberId, template } = dev.whatsapp;
	const templateId = await send(dev, "template accepted", {
		type: "template",
		to: USER,
		phoneNumberId,
		template,
	});
	await read(dev, "template read", templateId);
	await userWrites(dev);
	await windowOpen(dev);
	const textId = await send(dev, "text accepted", {
		type: "text",
		to: USER,
		phoneNumberId,
		text: { body: "Thank you for your answer." },
	});
	await read(dev, "text read", textId);
}

async function send(
	dev: DevFile,
	title: string,
	message: object,
): Promise<string> {
	const { body } = await step(
		title,
		() => callApi<Accepted>(dev, "POST", "/whatsapp/messages", message),
		({ status, body }) => `HTTP ${status}, message ${body.messageId}`,
	);
	return body.messageId;
}

function read(dev: DevFile, title: string, id: string): Promise<Message> {
	let last = "unknown";
	return step(
		title,
		() =>
			until(
				async () => {
					const { body } = await callApi<{ messages: Message[] }>(
						dev,
						"GET",
						"/whatsapp/messages?limit=20",
					);
					const message = body.messages.find((one) => one.id === id);
					last = message?.status ?? "not listed";
					return last === "read" ? message : undefined;
				},
				WHATSAPP_TIMEOUT_MS,
				() => `the message is still ${last}`,
			),
		() => `by ${USER}`,
	);
}

function userWrites(dev: DevFile): Promise<void> {
	return step(
		"user answers",
		async () => {
			const response = await fetch(`${dev.cloudApi.url}/control/inbound`, {
				method: "POST",
				body: JSON.stringify({ from: USER, text: "When does it arrive?" }),
			});
			if (!response.ok)
				throw new StepFailed(`the look-alike answered ${response.status}`);
		},
		() => `${USER}, by a signed callback of the provider`,
	);
}

function windowOpen(dev: DevFile): Promise<Conversation> {
	return step(
		"service window open",
		() =>
			until(
				async () => {
					const { body } = await callApi<{ conversations: Conversation[] }>(
						dev,
						"GET",
						"/whatsapp/conversations?status=open",
					);
					return body.conversations.find(({ recipient }) => recipient === USER);
				},
				WHATSAPP_TIMEOUT_MS,
				() => "no conversation is open",
			),
		(conversation) => `until ${conversation.window_expires_at}`,
	);
}
