import { domainErrorFrom } from "@airtower/platform/rpc/client";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { RefusalError, refusalFromReason } from "../../../errors.ts";
import type {
	ListCampaign,
	TagCampaign,
} from "../../../schemas/campaigns/campaign-requests.ts";

export function fromTagForm(body: TagCampaign) {
	return {
		name: body.name,
		messageTemplate: body.message_template,
		senderId: body.sender_id ?? "",
		audienceTags: body.audience_tags,
		audienceTagMatchMode: body.audience_tag_match_mode ?? "all",
		...scheduledAt(body.scheduled_at),
	};
}

export function fromListForm(body: ListCampaign) {
	return {
		name: body.name,
		messageTemplate: body.content,
		senderName: body.senderName ?? "",
		audienceTagMatchMode: "all",
		recipients: body.recipients,
		...scheduledAt(body.scheduledAt),
	};
}

function scheduledAt(time: string | undefined) {
	return time === undefined
		? {}
		: { scheduledAt: timestampFromDate(new Date(time)) };
}

/** What the list form calls the fields that the service speaks of. */
const LIST_FORM_NAMES: Readonly<Record<string, string>> = {
	message_template: "content",
	sender_id: "senderName",
	sender_name: "senderName",
	scheduled_at: "scheduledAt",
	audience_tags: "recipients",
};

/** A refusal with its field named as in the list form; any other error as it is. */
export function inListForm(error: unknown): unknown {
	const known = domainErrorFrom(error);
	const field = LIST_FORM_NAMES[known?.field ?? ""];
	if (known === undefined || field === undefined) return error;
	const { reason, message } = known;
	const refusal = refusalFromReason({ reason, field, message });
	return refusal === undefined ? error : new RefusalError(refusal);
}
