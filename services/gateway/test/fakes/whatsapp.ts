import { createHmac } from "node:crypto";
import { DomainError } from "@airtower/platform/runtime/domain-error";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import {
	type ConversationSchema,
	type SendWhatsAppMessage,
	type SendWhatsAppResultSchema,
	type TemplateSchema,
	type WhatsAppMessageSchema,
	WhatsAppService,
} from "@airtower/proto/whatsapp/v1/whatsapp";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampNow } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import { StoredResponses } from "./idempotency.ts";
import { pageOf } from "./pages.ts";

type Result = NonNullable<
	MessageInitShape<typeof SendWhatsAppResultSchema>["result"]
>;
type Message = MessageInitShape<typeof WhatsAppMessageSchema> & { id: string };
type Template = MessageInitShape<typeof TemplateSchema> & { id: string };
type Conversation = MessageInitShape<typeof ConversationSchema> & {
	id: string;
};

export const APP_SECRET = "app-secret";
export const VERIFY_TOKEN = "verify-token";

/** Messages, templates and conversations as whatsapp would keep them. */
export class FakeWhatsApp {
	/** A reason to refuse every message with. */
	refusal: { reason: string; field: string; message: string } | undefined;
	/** Callbacks wait for it. */
	callbacksHeld: Promise<void> | undefined;
	/** Bodies of the callbacks that were genuine. */
	readonly callbacks: Buffer[] = [];
	/** Filters of the last list, as they came. */
	lastFilters: Readonly<Record<string, unknown>> = {};
	private readonly messages = new Map<string, Message[]>();
	private readonly templates = new Map<string, Template[]>();
	private readonly conversations = new Map<string, Conversation[]>();
	private readonly responses = new StoredResponses<string>();

	addTemplate(organizationId: string, name: string): void {
		append(this.templates, organizationId, {
			id: uuidv7(),
			name,
			language: "en_US",
			category: "utility",
			status: "approved",
			body: "Your order {{1}} is on its way.",
			parameterCount: 1,
			createdAt: timestampNow(),
			updatedAt: timestampNow(),
		});
	}

	addConversation(organizationId: string): void {
		append(this.conversations, organizationId, {
			id: uuidv7(),
			phoneNumberId: uuidv7(),
			recipient: "+33612345678",
			status: "closed",
			createdAt: timestampNow(),
		});
	}

	readonly routes = (router: ConnectRouter): void => {
		router.service(WhatsAppService, {
			sendWhatsAppMessages: ({ messages }) => ({
				results: messages.map((message) => ({ result: this.send(message) })),
			}),
			listMessages: ({ organizationId, page, ...filters }) => {
				this.lastFilters = filters;
				const rows = this.messages.get(organizationId) ?? [];
				const { shown, ...next } = pageOf(rows, page);
				return { messages: shown, ...next };
			},
			listTemplates: ({ organizationId, page, ...filters }) => {
				this.lastFilters = filters;
				const rows = this.templates.get(organizationId) ?? [];
				const { shown, ...next } = pageOf(rows, page);
				return { templates: shown, ...next };
			},
			listConversations: ({ organizationId, page, ...filters }) => {
				this.lastFilters = filters;
				const rows = this.conversations.get(organizationId) ?? [];
				const { shown, ...next } = pageOf(rows, page);
				return { conversations: shown, ...next };
			},
			receiveCallback: async ({ body, signature }) => {
				await this.callbacksHeld;
				const mac = createHmac("sha256", APP_SECRET).update(body).digest("hex");
				if (signature !== `sha256=${mac}`)
					throw new DomainError({
						kind: "unauthenticated",
						reason: "invalid_callback_signature",
						message: "The signature is wrong.",
					});
				this.callbacks.push(Buffer.from(body));
				return {};
			},
			verifySubscription: ({ verifyToken, challenge }) => {
				if (verifyToken === VERIFY_TOKEN) return { challenge };
				throw new DomainError({
					kind: "forbidden",
					reason: "invalid_verify_token",
					message: "The verify token is wrong.",
				});
			},
		});
	};

	private send(message: SendWhatsAppMessage): Result {
		const { organizationId, idempotency, content } = message;
		const earlier = this.responses.find(organizationId, idempotency);
		if (earlier !== undefined)
			return {
				case: "accepted",
				value: { messageId: earlier, replayed: true },
			};
		if (this.refusal !== undefined)
			return { case: "refused", value: this.refusal };
		const messageId = uuidv7();
		append(this.messages, organizationId, {
			id: messageId,
			direction: "outbound",
			type: content.case ?? "",
			recipient: message.to,
			phoneNumberId: message.phoneNumberId,
			status: "accepted",
			billingCategory: content.case === "template" ? "utility" : "service",
			clientReference: message.clientReference,
			createdAt: timestampNow(),
		});
		this.responses.keep(organizationId, idempotency, messageId);
		return { case: "accepted", value: { messageId } };
	}
}

function append<T>(rows: Map<string, T[]>, organizationId: string, row: T) {
	rows.set(organizationId, [...(rows.get(organizationId) ?? []), row]);
}
