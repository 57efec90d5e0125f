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
import { findRecipients, type Recipient } from "../store/recipient-lists.ts";

/** A page's key names a phone number, or whatever was given in its place, without spaces. */
const KEY_ENCODING = "base64url";

export const listRecipients: Handler<
	Context,
	typeof CampaignsService.method.listRecipients
> = async ({ sql }, request, context) => {
	const { organizationId, campaignId, status, page } = request;
	assertOrganization(context, organizationId);
	const campaign = await findCampaign(sql, organizationId, campaignId);
	if (campaign === undefined) throw unknownCampaign();
	const after = page?.after?.id ?? "";
	const { rows, next } = await findRecipients(sql, campaignId, {
		status,
		after: Buffer.from(after, KEY_ENCODING).toString(),
		limit: page?.limit ?? 0,
	});
	const recipients = rows.map(recipientToProto);
	if (next === undefined) return { recipients };
	const createdAt = timestampFromDate(campaign.createdAt);
	const id = Buffer.from(next).toString(KEY_ENCODING);
	return { recipients, next: { createdAt, id } };
};

function recipientToProto(
	recipient: Recipient,
): MessageInitShape<typeof RecipientSchema> {
	const { phone, name, status, reason, messageId } = recipient;
	return {
		...{ phone, name, status },
		reason: reason ?? "",
		messageId: messageId ?? "",
	};
}
