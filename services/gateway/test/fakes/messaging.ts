import { DomainError, invalid } from "@airtower/platform/runtime/domain-error";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import {
	type InboundMessage,
	InboundMessageSchema,
	InboundService,
	type ListInboundRequest,
} from "@airtower/proto/messaging/v1/inbound";
import {
	type ListSentMessagesRequest,
	type MessageSchema,
	MessagingService,
	type PreviewResultSchema,
	type ReceiveCallbackRequest,
	type RequestSenderIdRequest,
	type SenderIdSchema,
	type SendMessage,
	type SendResultSchema,
} from "@airtower/proto/messaging/v1/messaging";
import {
	type AddOptOutsRequest,
	type AddOptOutsResponseSchema,
	type OptOutSchema,
	OptOutService,
} from "@airtower/proto/messaging/v1/opt_outs";
import {
	type QuietHours,
	QuietHoursService,
	type SetQuietHoursRequest,
} from "@airtower/proto/messaging/v1/quiet_hours";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampNow } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { StoredResponses } from "./idempotency.ts";
import { pageOf } from "./pages.ts";

type Result = NonNullable<MessageInitShape<typeof SendResultSchema>["result"]>;
type Accepted = Extract<Result, { case: "accepted" }>["value"];
type PreviewInit = MessageInitShape<typeof PreviewResultSchema>;
type MessageInit = MessageInitShape<typeof MessageSchema> & { id: string };
type OptOutInit = MessageInitShape<typeof OptOutSchema> & { id: string };
type AddOptOutsInit = MessageInitShape<typeof AddOptOutsResponseSchema>;
type SenderIdInit = MessageInitShape<typeof SenderIdSchema>;

/** The one route whose operator calls back, and the header x-signature of what is genuine. */
export const CALLBACK_ROUTE = "http-1";
export const CALLBACK_SIGNATURE = "genuine";

const INITIAL_QUOTA = 1_000_000;

/** Messages and sender IDs as messaging would keep them. */
export class FakeMessaging {
	readonly messages: SendMessage[] = [];
	readonly previews: SendMessage[] = [];
	readonly batchSizes: number[] = [];
	readonly listRequests: ListSentMessagesRequest[] = [];
	/** Messages as lists show them. */
	readonly shown = new Map<string, MessageInit[]>();
	readonly inboundRequests: ListInboundRequest[] = [];
	/** Texts that came in. */
	readonly inbound = new Map<string, InboundMessage[]>();
	/** Numbers that have opted out. */
	readonly optOuts = new Map<string, OptOutInit[]>();
	readonly quietHourChanges: SetQuietHoursRequest[] = [];
	readonly quietHours = new Map<string, QuietHours>();
	readonly quota = new Map<string, number>();
	/** Callbacks that were genuine, of either path. */
	readonly callbacks: ReceiveCallbackRequest[] = [];
	readonly inboundCallbacks: ReceiveCallbackRequest[] = [];
	/** What the operator is to read; with a field the one that could not be read. */
	inboundReply: { contentType?: string; body?: string; field?: string } = {};
	readonly senderIds = new Map<string, SenderIdInit[]>();
	/** A reason to refuse every message with. */
	refusal: { reason: string; field: string; message: string } | undefined;
	/** So many calls are carried out and their responses lost. */
	responsesToLose = 0;
	/** Calls wait for this. */
	gate: Promise<void> = Promise.resolve();
	private readonly optOutResponses = new StoredResponses<AddOptOutsInit>();
	private readonly sendResponses = new StoredResponses<Accepted>();
	private readonly senderResponses = new StoredResponses<SenderIdInit>();

	readonly routes = (router: ConnectRouter): void => {
		router.service(InboundService, {
			listInbound: (request) => {
				this.inboundRequests.push(request);
				const all = this.inbound.get(request.organizationId) ?? [];
				const { shown, ...next } = pageOf(all, request.page);
				return { messages: shown, ...next };
			},
		});
		router.service(OptOutService, {
			listOptOuts: async ({ organizationId, recipient, page }) => {
				await this.gate;
				const all = (this.optOuts.get(organizationId) ?? []).filter(
					(one) => recipient === "" || one.recipient === recipient,
				);
				const { shown, ...next } = pageOf(all, page);
				return { optOuts: shown, ...next };
			},
			addOptOuts: (request) => this.addOptOuts(request),
			removeOptOut: ({ organizationId, optOutId }) => {
				const all = this.optOuts.get(organizationId) ?? [];
				const rest = all.filter(({ id }) => id !== optOutId);
				if (rest.length === all.length)
					throw new DomainError({
						kind: "not_found",
						reason: "unknown_opt_out",
						message: "There is no such opt-out.",
					});
				this.optOuts.set(organizationId, rest);
				return {};
			},
		});
		router.service(QuietHoursService, {
			getQuietHours: ({ organizationId }) => {
				const quietHours = this.quietHours.get(organizationId);
				return quietHours === undefined ? {} : { quietHours };
			},
			setQuietHours: (request) => {
				const { organizationId, quietHours } = request;
				this.quietHourChanges.push(request);
				if (quietHours === undefined) throw new Error("no quiet hours given");
				if (quietHours.startMinute === quietHours.endMinute)
					throw new DomainError({
						kind: "invalid",
						reason: "invalid_quiet_hours",
						field: "end",
						message: "An hour at least must stay open each day.",
					});
				this.quietHours.set(organizationId, quietHours);
				return { quietHours };
			},
			clearQuietHours: ({ organizationId }) => {
				this.quietHours.delete(organizationId);
				return {};
			},
		});
		router.service(MessagingService, {
			sendMessages: async ({ messages }) => {
				this.batchSizes.push(messages.length);
				await this.gate;
				const results = messages.map((message) => ({
					result: this.send(message),
				}));
				if (this.responsesToLose > 0) {
					this.responsesToLose--;
					throw new ConnectError("lost", Code.Unavailable);
				}
				return { results };
			},
			previewMessages: ({ messages }) => {
				this.previews.push(...messages);
				return { results: messages.map((message) => this.preview(message)) };
			},
			listSenderIds: ({ organizationId }) => ({
				senderIds: (this.senderIds.get(organizationId) ?? []).toReversed(),
			}),
			requestSenderId: (request) => this.requestSenderId(request),
			listSentMessages: (request) => {
				this.listRequests.push(request);
				const all = this.shown.get(request.organizationId) ?? [];
				const { shown, ...next } = pageOf(all, request.page);
				return { messages: shown, ...next };
			},
			receiveCallback: async (request) => {
				this.callbacks.push(await this.genuine(request));
				return {};
			},
			receiveInboundCallback: async ({ callback }) => {
				this.inboundCallbacks.push(await this.genuine(callback));
				const { field, ...reply } = this.inboundReply;
				if (field === undefined) return reply;
				throw invalid("required", field, "The field is missing.");
			},
			getMessage: (asked) => ({ message: this.findShown(asked) }),
			cancelMessage: (asked) => {
				const message = this.findShown(asked);
				if (message.status !== "accepted")
					throw new DomainError({
						kind: "conflict",
						reason: "not_cancelable",
						message: `The message is ${message.status}.`,
					});
				return { message: { ...message, status: "canceled" } };
			},
		});
	};

	private async genuine(
		request: ReceiveCallbackRequest | undefined,
	): Promise<ReceiveCallbackRequest> {
		await this.gate;
		if (request?.route !== CALLBACK_ROUTE)
			throw new DomainError({
				kind: "not_found",
				reason: "unknown_route",
				message: "No operator calls back on this path.",
			});
		if (request.headers["x-signature"] !== CALLBACK_SIGNATURE)
			throw new DomainError({
				kind: "unauthenticated",
				reason: "invalid_callback_signature",
				message: "The signature is wrong.",
			});
		return request;
	}

	private addOptOuts({
		organizationId,
		optOuts: given,
		source,
		idempotency,
	}: AddOptOutsRequest): AddOptOutsInit {
		const earlier = this.optOutResponses.find(organizationId, idempotency);
		if (earlier !== undefined) return { ...earlier, replayed: true };
		const refused = given.flatMap(({ recipient }, index) =>
			recipient.length < "+1234".length
				? [{ index, reason: "invalid_phone_number" }]
				: [],
		);
		if (refused.length > 0) return { refused, refusedCount: refused.length };
		const known = this.optOuts.get(organizationId) ?? [];
		const keyOf = ({
			recipient,
			sender,
		}: {
			recipient: string;
			sender: string;
		}) => `${recipient} ${sender}`;
		const all = new Map<string, OptOutInit>(
			known.map((one) => [keyOf({ recipient: "", sender: "", ...one }), one]),
		);
		for (const { recipient, sender } of given) {
			const key = keyOf({ recipient, sender });
			if (!all.has(key))
				all.set(key, {
					id: uuidv7(),
					recipient,
					sender,
					source,
					createdAt: timestampNow(),
				});
		}
		this.optOuts.set(organizationId, [...all.values()]);
		const [first] = given;
		const added = all.size - known.length;
		const optOut =
			given.length === 1 && first ? all.get(keyOf(first)) : undefined;
		const response = {
			added,
			known: given.length - added,
			...(optOut && { optOut }),
		};
		this.optOutResponses.keep(organizationId, idempotency, response);
		return response;
	}

	/** A phone wrote to the organization. */
	addInbound(
		organizationId: string,
		fields: MessageInitShape<typeof InboundMessageSchema> = {},
	): void {
		const message = create(InboundMessageSchema, {
			id: uuidv7(),
			from: "+33612345678",
			to: "+33644630001",
			body: "Yes",
			encoding: "gsm7",
			parts: 1,
			isComplete: true,
			receivedAt: timestampNow(),
			route: "main",
			...fields,
		});
		const known = this.inbound.get(organizationId) ?? [];
		this.inbound.set(organizationId, [...known, message]);
	}

	private send(message: SendMessage): Result {
		const { organizationId, idempotency } = message;
		try {
			const earlier = this.sendResponses.find(organizationId, idempotency);
			if (earlier !== undefined)
				return { case: "accepted", value: { ...earlier, replayed: true } };
		} catch (error) {
			if (!(error instanceof DomainError)) throw error;
			const { reason, message } = error;
			return { case: "refused", value: { reason, message } };
		}
		if (this.refusal !== undefined)
			return { case: "refused", value: this.refusal };
		const left = this.quota.get(organizationId) ?? INITIAL_QUOTA;
		if (left === 0)
			return {
				case: "refused",
				value: { reason: "quota_exhausted", message: "No SMS quota is left." },
			};
		this.quota.set(organizationId, left - 1);
		this.messages.push(message);
		const messageId = uuidv7();
		this.show(organizationId, messageId, message);
		const value: Accepted = {
			messageId,
			remainingQuota: BigInt(left - 1),
			route: "main",
			...(message.sendAt && { sendAt: message.sendAt }),
		};
		this.sendResponses.keep(organizationId, idempotency, value);
		return { case: "accepted", value };
	}

	private findShown({
		organizationId,
		messageId,
	}: {
		readonly organizationId: string;
		readonly messageId: string;
	}): MessageInit {
		const all = this.shown.get(organizationId) ?? [];
		const message = all.find(({ id }) => id === messageId);
		if (message !== undefined) return message;
		throw new DomainError({
			kind: "not_found",
			reason: "unknown_message",
			message: "There is no such message.",
		});
	}

	private preview({ organizationId, sendAt }: SendMessage): PreviewInit {
		const left = this.quota.get(organizationId) ?? INITIAL_QUOTA;
		const accepted = {
			remainingQuota: BigInt(left - 1),
			route: "main",
			...(sendAt && { sendAt }),
		};
		const result: Result =
			this.refusal === undefined
				? { case: "accepted", value: accepted }
				: { case: "refused", value: this.refusal };
		return {
			send: { result },
			text: { encoding: "gsm7", partUnits: [153, 7] },
			recipient: "+33612345678",
			routes: [
				{
					route: "main",
					share: 1,
					segmentCostMicros: 45_000n,
					currency: "EUR",
				},
			],
			quotaBefore: BigInt(left),
		};
	}

	private show(
		organizationId: string,
		id: string,
		{ to, clientReference }: SendMessage,
	): void {
		const createdAt = timestampNow();
		const message: MessageInit = {
			id,
			to,
			clientReference,
			createdAt,
			senderId: uuidv7(),
			senderName: "ACME",
			route: "main",
			status: "accepted",
			segments: 1,
		};
		const known = this.shown.get(organizationId) ?? [];
		this.shown.set(organizationId, [...known, message]);
	}

	private requestSenderId(request: RequestSenderIdRequest) {
		const { organizationId, value, idempotency } = request;
		const earlier = this.senderResponses.find(organizationId, idempotency);
		if (earlier !== undefined) return { senderId: earlier, replayed: true };
		const known = this.senderIds.get(organizationId) ?? [];
		if (known.some((senderId) => senderId.value === value))
			throw new DomainError({
				kind: "conflict",
				reason: "sender_id_exists",
				field: "value",
				message: "This sender ID is already requested.",
			});
		const senderId: SenderIdInit = {
			id: uuidv7(),
			value,
			status: "pending",
			createdAt: timestampNow(),
		};
		this.senderIds.set(organizationId, [...known, senderId]);
		this.senderResponses.keep(organizationId, idempotency, senderId);
		return { senderId, replayed: false };
	}
}
