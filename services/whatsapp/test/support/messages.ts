import { eventually } from "@airtower/platform/testing/eventually";
import type { MessageOutcome } from "@airtower/proto/common/v1/message_outcome";
import type {
	SendWhatsAppResult,
	WhatsAppMessage,
} from "@airtower/proto/whatsapp/v1/whatsapp";
import type { Stage, TestOrganization } from "./stage.ts";

export interface SendContent {
	readonly case: "template";
	readonly value: {
		name: string;
		language: string;
		category: string;
		parameters: string[];
	};
}

export interface Send {
	organizationId: string;
	phoneNumberId: string;
	to: string;
	content: SendContent | { case: "text"; value: { body: string } };
	clientReference?: string;
	defaultCountry?: string;
	idempotency?: { key: string; fingerprint: Uint8Array };
}

const ORDER_UPDATE = {
	name: "order_update",
	language: "en_US",
	category: "utility",
	parameters: ["Ada", "42"],
};

/** A sendable template message of an organization. */
export function templateTo(
	{ organizationId, phoneNumberId }: TestOrganization,
	to: string,
	more: Partial<Send> = {},
): Send {
	return {
		organizationId,
		phoneNumberId,
		to,
		content: { case: "template", value: ORDER_UPDATE },
		...more,
	};
}

/** The same with other names or parameters. */
export function templateWith(
	own: TestOrganization,
	to: string,
	fields: Partial<SendContent["value"]>,
): Send {
	const value = { ...ORDER_UPDATE, ...fields };
	return templateTo(own, to, { content: { case: "template", value } });
}

/** A text reply of an organization. */
export function textTo(
	{ organizationId, phoneNumberId }: TestOrganization,
	to: string,
	body = "Hello",
): Send {
	return {
		organizationId,
		phoneNumberId,
		to,
		content: { case: "text", value: { body } },
	};
}

/** Sends and returns the ids; fails when one is refused. */
export async function send(
	{ clients }: Stage,
	...messages: Send[]
): Promise<string[]> {
	const { results } = await clients.whatsapp.sendWhatsAppMessages({ messages });
	return results.map(({ result }) => {
		if (result.case !== "accepted")
			throw new Error(`refused: ${result.value?.reason}`);
		return result.value.messageId;
	});
}

/** Reason and field of each result: empty when it was accepted. */
export function reasonsOf(results: readonly SendWhatsAppResult[]): string[] {
	return results.map(({ result }) =>
		result.case === "refused"
			? `${result.value.reason} ${result.value.field}`.trim()
			: "",
	);
}

/** A message of an organization by its id. */
export async function readMessage(
	{ clients }: Stage,
	{ organizationId }: TestOrganization,
	id: string,
): Promise<WhatsAppMessage> {
	const { messages } = await clients.whatsapp.listMessages({
		organizationId,
		page: { limit: 200 },
	});
	const message = messages.find((one) => one.id === id);
	if (message === undefined) throw new Error(`no message ${id}`);
	return message;
}

/** Waits until a message has a status. */
export async function untilStatus(
	stage: Stage,
	organization: TestOrganization,
	id: string,
	status: string,
): Promise<WhatsAppMessage> {
	return eventually(async () => {
		const message = await readMessage(stage, organization, id);
		if (message.status !== status)
			throw new Error(`${message.status}, not ${status}`);
		return message;
	});
}

/** The outcome events of one message, once there is one. */
export async function untilOutcome(
	stage: Stage,
	id: string,
): Promise<MessageOutcome[]> {
	return eventually(() => {
		const own = stage.outcomes.filter((one) => one.messageId === id);
		if (own.length === 0) throw new Error("no outcome");
		return own;
	});
}
