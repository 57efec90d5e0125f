import type { SenderId } from "@airtower/proto/messaging/v1/messaging";
import type { Clients } from "./clients.ts";

/** The calls on sender IDs of a service that has started by the time they are made. */
export function senderIdCalls(clients: () => Clients) {
	return {
		async request(organizationId: string, value: string): Promise<SenderId> {
			const { messaging } = clients();
			const request = { organizationId, value };
			const { senderId } = await messaging.requestSenderId(request);
			if (senderId === undefined) throw new Error("No sender ID came back.");
			return senderId;
		},
		async decide(
			organizationId: string,
			{ id: senderId }: Pick<SenderId, "id">,
			status: string,
			reason = status === "approved" ? "" : "because",
		) {
			const decision = { organizationId, senderId, status, reason };
			return (await clients().admin.decideSenderId(decision)).senderId;
		},
		async list(organizationId: string) {
			const { messaging } = clients();
			return (await messaging.listSenderIds({ organizationId })).senderIds;
		},
	};
}
