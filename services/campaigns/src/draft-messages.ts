import { hash } from "node:crypto";
import type { SendMessageSchema } from "@airtower/proto/messaging/v1/messaging";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { isTooLong, renderTemplate } from "./domain/message-template.ts";
import type { NewCampaign } from "./store/campaigns.ts";

interface Addressee {
	readonly phone: string;
	/** Empty when none. */
	readonly name: string;
}

/** A recipient with the text for it. */
export type Draft<R extends Addressee = Addressee> = R & {
	readonly body: string;
};

/** Why a text that no message may have is skipped. */
export const TOO_LONG = "message_too_long";

export function toDraft<R extends Addressee>(
	{ messageTemplate }: Pick<NewCampaign, "messageTemplate">,
	recipient: R,
): Draft<R> {
	const body = renderTemplate(messageTemplate, recipient.name);
	return { ...recipient, body };
}

/** A call of 500 texts with names in many places would be more than a server reads: such texts are not sent. */
export function divideByLength<R extends Addressee>(
	drafts: readonly Draft<R>[],
): { readonly fitting: Draft<R>[]; readonly tooLong: Draft<R>[] } {
	const { fitting = [], tooLong = [] } = Object.groupBy(drafts, ({ body }) =>
		isTooLong(body) ? "tooLong" : "fitting",
	);
	return { fitting, tooLong };
}

/** The message to a recipient, for the send and its preview. */
export function toMessage(
	campaign: Pick<
		NewCampaign,
		"id" | "organizationId" | "senderId" | "defaultCountry"
	>,
	{ phone, body }: Draft,
): MessageInitShape<typeof SendMessageSchema> {
	const key = phone.slice(1);
	return {
		organizationId: campaign.organizationId,
		to: phone,
		body,
		senderId: campaign.senderId,
		campaignId: campaign.id,
		defaultCountry: campaign.defaultCountry,
		priority: "bulk",
		idempotency: {
			key,
			fingerprint: hash("sha256", `${phone}\n${body}`, "buffer"),
		},
	};
}
