import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { Handler } from "@airtower/platform/rpc/route";
import type {
	CampaignsService,
	RecipientSchema,
} from "@airtower/proto/campaigns/v1/campaigns";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Context } from "../context.ts";
import { unknownCampaign } from "../errors.ts";
import { findCampaign } from "../store/campaigns.ts";
import {
	findRecipients,
	type Recipient,
	type RecipientKey,
} from "../store/recipient-lists.ts";

/** A page's key may name any text that was given as a number. */
const KEY_ENCODING = "base64url";

export const listRecipients: Handler<
	Context,
	typeof CampaignsService.method.listRecipients
> = async ({ sql }, request, context) => {
	const { organizationId, campaignId, status, page } = request;
	assertOrganization(context, organizationId);
	const campaign = await findCampaign(sql, organizationId, campaignId);
	if (campaign === undefined) throw unknownCampaign();
	const { rows, next } = await findRecipients(sql, campaignId, {
		status,
		after: readKey(page?.after?.id),
		limit: page?.limit ?? 0,
	});
	const recipients = rows.map(recipientToProto);
	if (next === undefined) return { recipients };
	const createdAt = timestampFromDate(campaign.createdAt);
	return { recipients, next: { createdAt, id: keyText(next) } };
};

function keyText({ phone, duplicate }: RecipientKey): string {
	return Buffer.from(`${duplicate} ${phone}`).toString(KEY_ENCODING);
}

function readKey(text: string | undefined): RecipientKey | undefined {
	if (text === undefined) return undefined;
	const key = Buffer.from(text, KEY_ENCODING).toString();
	const [duplicate = ""] = key.split(" ", 1);
	return {
		phone: key.slice(duplicate.length + 1),
		duplicate: Number(duplicate),
	};
}

function recipientToProto(
	recipient: Recipient,
): MessageInitShape<typeof RecipientSchema> {
	const { phone, name, status, reason, messageId } = recipient;
	return {
		phone,
		name,
		status,
		reason: reason ?? "",
		messageId: messageId ?? "",
	};
}
