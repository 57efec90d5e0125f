import { DomainError } from "@airtower/platform/runtime/domain-error";
import {
	ListMissingMessagesResponseSchema,
	ListStoredMessagesResponseSchema,
} from "@airtower/proto/messaging/v1/messaging";
import { create } from "@bufbuild/protobuf";
import type { Context } from "../../src/context.ts";

type Messaging = Context["messaging"];

/** Stands where messaging stands for the reconciler: knows which messages are stored. */
export interface MessageStore extends Messaging {
	readonly stored: Set<string>;
	/** The organizations of messages that are listed as stored, by message id. */
	readonly listed: Map<string, string>;
	/** Every list of ids that was asked for. */
	readonly asked: string[][];
	/** While true every call fails as one to a dead service does. */
	down: boolean;
	/** Runs before a response is given. */
	beforeResponse: () => Promise<void>;
}

export function createMessageStore(): MessageStore {
	const stored = new Set<string>();
	const listed = new Map<string, string>();
	const asked: string[][] = [];
	return {
		stored,
		listed,
		asked,
		down: false,
		beforeResponse: async () => {},
		async listMissingMessages(request) {
			if (this.down)
				throw new DomainError({
					kind: "unavailable",
					reason: "service_unavailable",
					message: "A service that is needed for this request did not respond.",
				});
			const messageIds = request.messageIds ?? [];
			asked.push([...messageIds]);
			await this.beforeResponse();
			return create(ListMissingMessagesResponseSchema, {
				missingMessageIds: messageIds.filter((id) => !stored.has(id)),
			});
		},
		async listStoredMessages({ afterMessageId = "", limit = 0 }) {
			const ids = [...listed.keys()].filter((id) => id > afterMessageId);
			return create(ListStoredMessagesResponseSchema, {
				messages: ids
					.sort((one, other) => (one < other ? -1 : 1))
					.slice(0, limit)
					.map((messageId) => ({
						messageId,
						organizationId: listed.get(messageId) ?? "",
					})),
			});
		},
	};
}
