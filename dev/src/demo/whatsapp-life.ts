import type { DemoSystem } from "./demo-system.ts";
import { ordinaryNumbers } from "./ordinary-numbers.ts";
import { callApi } from "./public-api.ts";
import { StepFailed, step, stepUntil } from "./step.ts";

interface Message {
	readonly id: string;
	readonly status: string;
}

interface Conversation {
	readonly recipient: string | null;
	readonly window_expires_at: string;
}

const INBOUND_TIMEOUT_MS = 30_000;

/** A template to a new user, the user's reply, and a text back inside the service window that it opened. */
export async function showWhatsapp(dev: DemoSystem): Promise<void> {
	const { phoneNumberId, template } = dev.whatsapp;
	const [to = ""] = ordinaryNumbers(1);
	const common = { to, phoneNumberId };
	await showMessage(dev, { type: "template", ...common, template });
	await showReply(dev, to);
	await showWindow(dev, to);
	const text = { body: "Thank you for your answer." };
	await showMessage(dev, { type: "text", ...common, text });
}

async function showMessage(
	dev: DemoSystem,
	message: Readonly<Record<"type" | "to", string> & Record<string, unknown>>,
): Promise<void> {
	type Accepted = { messageId: string };
	const { body } = await step(
		`${message.type} accepted`,
		() => callApi<Accepted>(dev, "POST", "/whatsapp/messages", message),
		({ status, body }) => `HTTP ${status}, message ${body.messageId}`,
	);
	let last = "unknown";
	await stepUntil(
		`${message.type} read`,
		async () => {
			type Page = { messages: Message[] };
			const path = "/whatsapp/messages?limit=20";
			const page = await callApi<Page>(dev, "GET", path);
			const found = page.body.messages.find(({ id }) => id === body.messageId);
			last = found?.status ?? "not listed";
			if (last === "failed") throw new StepFailed("the message failed");
			return last === "read" ? found : undefined;
		},
		() => `the message is still ${last}`,
		() => `by ${message.to}`,
	);
}

function showReply(dev: DemoSystem, user: string): Promise<void> {
	return step(
		"user replies",
		async () => {
			const { ok, status } = await fetch(
				`${dev.cloudApi.url}/control/inbound`,
				{
					method: "POST",
					body: JSON.stringify({ from: user, text: "When does it arrive?" }),
					signal: AbortSignal.timeout(INBOUND_TIMEOUT_MS),
				},
			);
			if (!ok) throw new StepFailed(`the look-alike responded with ${status}`);
		},
		() => `${user}, by a signed callback of the provider`,
	);
}

function showWindow(dev: DemoSystem, user: string): Promise<Conversation> {
	return stepUntil(
		"service window open",
		async () => {
			type Page = { conversations: Conversation[] };
			const path = "/whatsapp/conversations?status=open";
			const { body } = await callApi<Page>(dev, "GET", path);
			return body.conversations.find(({ recipient }) => recipient === user);
		},
		() => "no conversation is open",
		(conversation) => `until ${conversation.window_expires_at}`,
	);
}
