import {
	type DomainError,
	forbidden,
	invalid,
} from "@airtower/platform/runtime/domain-error";
import type { SenderId } from "@airtower/proto/messaging/v1/messaging";

/**
 * The sender that a campaign names by id, by value, or by neither: the default one then.
 * Throws invalid `unknown_sender` or `sender_required`, forbidden `sender_not_approved`.
 */
export function chooseSender(
	senders: readonly SenderId[],
	id: string,
	name: string,
): SenderId {
	const sender = senders.find((candidate) => isMeant(candidate, id, name));
	if (sender === undefined) throw missing(id, name);
	if (sender.status !== "approved")
		throw forbidden("sender_not_approved", "This sender ID is not approved.", {
			field: senderField(id, name),
		});
	return sender;
}

function isMeant(sender: SenderId, id: string, name: string): boolean {
	if (id === "" && name === "") return sender.isDefault;
	return (
		(id === "" || sender.id === id.toLowerCase()) &&
		(name === "" || sender.value === name)
	);
}

function missing(id: string, name: string): DomainError {
	return id === "" && name === ""
		? invalid(
				"sender_required",
				"sender_id",
				"Name a sender; there is no default one.",
			)
		: invalid(
				"unknown_sender",
				senderField(id, name),
				"There is no such sender ID.",
			);
}

/** A campaign to contacts names its sender by id alone: one that named none is told of that field. */
function senderField(id: string, name: string): string {
	return id === "" && name !== "" ? "sender_name" : "sender_id";
}
