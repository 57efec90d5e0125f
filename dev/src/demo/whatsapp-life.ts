import type { DevFile } from "../start/dev-file.ts";
import { ordinaryNumbers } from "./ordinary-numbers.ts";
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

/** A template to a new user, the user's answer, and a text back inside the service window that it opened. */
export async function showWhatsapp(dev: DevFile): Promise<void> {
	const { phoneNumberId, template } = dev.whatsapp;
	const [user = ""] = ordinaryNumbers(1);
	const templateId = await send(dev, "template accepted", {
		type: "template",
		to: user,
		phoneNumberId,
		template,
	});
	await read(dev, "template read", templateId, user);
	await userWrites(dev, user);
	await windowOpen(dev, user);
	const textId = await send(dev, "text accepted", {
		type: "text",
		to: user,
		phoneNumberId,
		text: { body: "Thank you for your answer." },
	});
	await read(dev, "text read", textId, user);
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

function read(
	dev: DevFile,
	title: string,
	id: string,
	user: string,
): Promise<Message> {
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
					if (last === "failed") throw new StepFailed("the message failed");
					return last === "read" ? message : undefined;
				},
				WHATSAPP_TIMEOUT_MS,
				() => `the message is still ${last}`,
			),
		() => `by ${user}`,
	);
}

function userWrites(dev: DevFile, user: string): Promise<void> {
	return step(
		"user answers",
		async () => {
			const response = await fetch(`${dev.cloudApi.url}/control/inbound`, {
				method: "POST",
				body: JSON.stringify({ from: user, text: "When does it arrive?" }),
				signal: AbortSignal.timeout(WHATSAPP_TIMEOUT_MS),
			});
			if (!response.ok)
				throw new StepFailed(`the look-alike answered ${response.status}`);
		},
		() => `${user}, by a signed callback of the provider`,
	);
}

function windowOpen(dev: DevFile, user: string): Promise<Conversation> {
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
					return body.conversations.find(({ recipient }) => recipient === user);
				},
				WHATSAPP_TIMEOUT_MS,
				() => "no conversation is open",
			),
		(conversation) => `until ${conversation.window_expires_at}`,
	);
}
