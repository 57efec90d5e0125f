import { uuidv7 } from "@airtower/platform/runtime/ids";
import {
	ListSenderIdsResponseSchema,
	type PreviewMessagesRequestSchema,
	PreviewMessagesResponseSchema,
	type PreviewResultSchema,
	type SendMessageSchema,
	SendMessagesRequestSchema,
	SendMessagesResponseSchema,
	type SendResultSchema,
} from "@airtower/proto/messaging/v1/messaging";
import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Context } from "../src/context.ts";

export const SENDER_ID = uuidv7();

type SendMessage = MessageInitShape<typeof SendMessageSchema>;
type SendResult = MessageInitShape<typeof SendResultSchema>;

/** What every route charges, in millionths of a euro. */
const segmentCostMicros = 45_000n;

/** Largest request that an RPC client writes, bytes. */
const MAX_REQUEST_BYTES = 8 * 1_048_576;

export interface FakeMessaging {
	readonly client: Context["messaging"];
	/** Every message accepted, by recipient. */
	readonly accepted: Map<string, { messageId: string; body: string }>;
	/** Messages of each call of SendMessages. */
	readonly calls: number[];
	/** Messages of each call of PreviewMessages. */
	readonly previews: number[];
	/** Units left; a message beyond them is refused. */
	quota: number;
	/** False while accounts is away, for previews. */
	knowsQuota: boolean;
	/** The next call is carried out, and its response lost. */
	loseNextResponse: boolean;
	/** The next call does not arrive. */
	loseNextCall: boolean;
	/** What happens during the next call. */
	meanwhile: () => Promise<unknown>;
	/** Whose routes are all paused. */
	mustWait: (to: string) => boolean;
	/** Whether messages of this time wait for the end of quiet hours; undefined for now. */
	isQuietAt: (
		at: MessageInitShape<typeof PreviewMessagesRequestSchema>["at"],
	) => boolean;
	/** Recipient refused for good. */
	blocked: string | undefined;
	/** Why a message to this recipient is refused; undefined when it is not. */
	refusalOf: (to: string) => string | undefined;
	/** Of the default sender ID; undefined while messaging is away. */
	senderStatus: "approved" | "suspended" | undefined;
}

/** The messaging service as campaigns sees it: idempotent by key, exact in its quota. */
export function fakeMessaging(quota = 1_000_000): FakeMessaging {
	const byKey = new Map<string, Known>();
	const fake: FakeMessaging = {
		accepted: new Map(),
		calls: [],
		previews: [],
		quota,
		knowsQuota: true,
		loseNextResponse: false,
		loseNextCall: false,
		meanwhile: async () => {},
		mustWait: () => false,
		isQuietAt: () => false,
		blocked: undefined,
		refusalOf: () => undefined,
		senderStatus: "approved",
		client: { sendMessages, previewMessages, listSenderIds },
	};

	async function sendMessages(
		request: MessageInitShape<typeof SendMessagesRequestSchema>,
	) {
		assertWritable(request);
		if (fake.loseNextCall) {
			fake.loseNextCall = false;
			throw new ConnectError("messaging is away", Code.Unavailable);
		}
		const messages = request.messages ?? [];
		fake.calls.push(messages.length);
		const results = messages.map(request.replayOnly ? replay : accept);
		await fake.meanwhile();
		if (fake.loseNextResponse) {
			fake.loseNextResponse = false;
			throw new Error("the response was lost");
		}
		return create(SendMessagesResponseSchema, { results });
	}

	function replay(message: SendMessage): SendResult {
		return replayKnown(message) ?? refused("not_sent");
	}

	function replayKnown(message: SendMessage): SendResult | undefined {
		const known = byKey.get(keyOf(message));
		if (known === undefined) return undefined;
		return known.fingerprint === fingerprintOf(message)
			? granted(known.messageId, true)
			: refused("idempotency_key_reused");
	}

	function accept(message: SendMessage): SendResult {
		const { to = "", body = "" } = message;
		const known = replayKnown(message);
		if (known !== undefined) return known;
		if (to === fake.blocked) return refused("message_too_long");
		if (fake.mustWait(to)) return refused("service_unavailable");
		const reason = fake.refusalOf(to);
		if (reason !== undefined) return refused(reason);
		if (fake.quota === 0) return refused("quota_exhausted");
		fake.quota--;
		const messageId = uuidv7();
		if (fake.accepted.has(to)) throw new Error(`${to} was sent to twice`);
		fake.accepted.set(to, { messageId, body });
		const fingerprint = fingerprintOf(message);
		byKey.set(keyOf(message), { messageId, fingerprint });
		return granted(messageId, false);
	}

	async function previewMessages(
		request: MessageInitShape<typeof PreviewMessagesRequestSchema>,
	) {
		const messages = request.messages ?? [];
		fake.previews.push(messages.length);
		await fake.meanwhile();
		const results = messages.map((message) => ({
			...preview(message),
			...(fake.isQuietAt(request.at) && { sendAt: timestampFromMs(0) }),
		}));
		return create(PreviewMessagesResponseSchema, { results });
	}

	function preview({
		to = "",
		body = "",
	}: MessageInitShape<typeof SendMessageSchema>): MessageInitShape<
		typeof PreviewResultSchema
	> {
		const text = { encoding: "gsm7", partUnits: [body.length] };
		if (to === fake.blocked) return { send: refused("message_too_long"), text };
		return {
			send: previewQuota(),
			text,
			senderId: SENDER_ID,
			routes: [{ route: "main", share: 1, segmentCostMicros, currency: "EUR" }],
			...(fake.knowsQuota && { quotaBefore: BigInt(fake.quota) }),
		};
	}

	function previewQuota() {
		if (!fake.knowsQuota) return refused("service_unavailable");
		return fake.quota === 0 ? refused("quota_exhausted") : granted("", false);
	}

	async function listSenderIds() {
		if (fake.senderStatus === undefined)
			throw new ConnectError("messaging is away", Code.Unavailable);
		return create(ListSenderIdsResponseSchema, {
			senderIds: [
				{
					id: SENDER_ID,
					value: "Airtower",
					status: fake.senderStatus,
					isDefault: true,
				},
				{ id: uuidv7(), value: "Pending", status: "pending" },
			],
		});
	}

	return fake;
}

interface Known {
	readonly messageId: string;
	readonly fingerprint: string;
}

function fingerprintOf({ idempotency }: SendMessage): string {
	return Buffer.from(idempotency?.fingerprint ?? []).toString("hex");
}

function keyOf({ campaignId = "", idempotency }: SendMessage): string {
	return `${campaignId} ${idempotency?.key}`;
}

function assertWritable(
	request: MessageInitShape<typeof SendMessagesRequestSchema>,
): void {
	const { length } = toBinary(
		SendMessagesRequestSchema,
		create(SendMessagesRequestSchema, request),
	);
	if (length > MAX_REQUEST_BYTES)
		throw new ConnectError(`${length} bytes`, Code.ResourceExhausted);
}

function granted(messageId: string, replayed: boolean) {
	return {
		result: { case: "accepted" as const, value: { messageId, replayed } },
	};
}

function refused(reason: string) {
	return { result: { case: "refused" as const, value: { reason } } };
}
