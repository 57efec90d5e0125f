import { uuidv7 } from "@airtower/platform/ids";
import {
	ListSenderIdsResponseSchema,
	type SendMessageSchema,
	type SendMessagesRequestSchema,
	SendMessagesResponseSchema,
	type SendResultSchema,
} from "@airtower/proto/messaging/v1/messaging";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { CampaignsContext } from "../src/context.ts";

export const SENDER_ID = uuidv7();

export interface FakeMessaging {
	readonly client: CampaignsContext["messaging"];
	/** Every message accepted, by recipient. */
	readonly accepted: Map<string, { messageId: string; body: string }>;
	/** Units left; a message beyond them is refused. */
	quota: number;
	/** The next call is carried out, and its answer lost. */
	loseNextAnswer: boolean;
	/** Recipient refused for good. */
	blocked: string | undefined;
}

/** The messaging service as campaigns sees it: idempotent by key, exact in its quota. */
export function fakeMessaging(quota = 1_000_000): FakeMessaging {
	const byKey = new Map<string, string>();
	const fake: FakeMessaging = {
		accepted: new Map(),
		quota,
		loseNextAnswer: false,
		blocked: undefined,
		client: { sendMessages, listSenderIds },
	};

	async function sendMessages(
		request: MessageInitShape<typeof SendMessagesRequestSchema>,
	) {
		const results = (request.messages ?? []).map(accept);
		if (fake.loseNextAnswer) {
			fake.loseNextAnswer = false;
			throw new Error("the answer was lost");
		}
		return create(SendMessagesResponseSchema, { results });
	}

	function accept(
		message: MessageInitShape<typeof SendMessageSchema>,
	): MessageInitShape<typeof SendResultSchema> {
		const { to = "", body = "", idempotency } = message;
		const key = idempotency?.key ?? "";
		const known = byKey.get(key);
		if (known !== undefined) return granted(known, true);
		if (to === fake.blocked) return refused("message_too_long");
		if (fake.quota === 0) return refused("quota_exhausted");
		fake.quota--;
		const messageId = uuidv7();
		if (fake.accepted.has(to)) throw new Error(`${to} was sent to twice`);
		fake.accepted.set(to, { messageId, body });
		byKey.set(key, messageId);
		return granted(messageId, false);
	}

	async function listSenderIds() {
		return create(ListSenderIdsResponseSchema, {
			senderIds: [
				{
					id: SENDER_ID,
					value: "Airtower",
					status: "approved",
					isDefault: true,
				},
				{ id: uuidv7(), value: "Pending", status: "pending" },
			],
		});
	}

	return fake;
}

function granted(messageId: string, replayed: boolean) {
	return {
		result: { case: "accepted" as const, value: { messageId, replayed } },
	};
}

function refused(reason: string) {
	return { result: { case: "refused" as const, value: { reason } } };
}
