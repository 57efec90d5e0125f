import { domainErrorFrom } from "@airtower/platform/rpc/client";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
	type Reason,
	RefusalError,
	refusalFromReason,
} from "../../../errors.ts";
import type {
	CreateCampaignBody,
	ListCampaign,
	TagCampaign,
} from "../../../schemas/campaigns/campaign-requests.ts";

/** The fields of a campaign, for its creation and its preview. */
export function readForm(body: CreateCampaignBody) {
	return isListForm(body) ? fromListForm(body) : fromTagForm(body);
}

function isListForm(body: CreateCampaignBody): body is ListCampaign {
	return "content" in body;
}

function fromTagForm(body: TagCampaign) {
	return {
		name: body.name,
		messageTemplate: body.message_template,
		senderId: body.sender_id ?? "",
		audienceTags: body.audience_tags,
		audienceTagMatchMode: body.audience_tag_match_mode ?? "all",
		...scheduledAt(body.scheduled_at),
	};
}

function fromListForm(body: ListCampaign) {
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

/** What the service refused, with its field named as in the form of the body. */
export function inForm(body: CreateCampaignBody, reason: Reason): Reason {
	const field = LIST_FORM_NAMES[reason.field ?? ""];
	if (field === undefined || !isListForm(body)) return reason;
	const { reason: code, message } = reason;
	return { reason: code, field, message };
}

/** The same of an error; one that is no refusal as it is. */
export function errorInForm(body: CreateCampaignBody, error: unknown): unknown {
	const known = domainErrorFrom(error);
	if (known === undefined) return error;
	const named = inForm(body, known);
	if (named === known) return error;
	const refusal = refusalFromReason(named);
	return refusal === undefined ? error : new RefusalError(refusal);
}
