import type {
	PreviewResult,
	RouteShare,
} from "@airtower/proto/messaging/v1/messaging";
import { fromMicros, segmentCostOf } from "@airtower/proto/rules/segment-cost";
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { scopeAccess } from "../../../domain/access.ts";
import { refusalOfItem } from "../../../errors.ts";
import { toError } from "../../../plugins/errors.ts";
import { errorTable } from "../../../schemas/errors.ts";
import { sendSmsBody } from "../../../schemas/sms/sms.ts";
import {
	type SmsPreviewReply,
	smsPreviewReply,
} from "../../../schemas/sms/sms-preview.ts";
import { required } from "../../required.ts";
import type { Routes } from "../../routes.ts";
import { toMessage } from "./send-sms.ts";

const operation = {
	method: "POST",
	url: "/sms/preview",
	config: { access: scopeAccess("sms:send"), isReadOnly: true },
	schema: {
		operationId: "previewSms",
		tags: ["SMS"],
		summary: "Preview an SMS",
		description: [
			"Tells what POST /sms/send would do with the same body now, by the same steps: whether it would accept it, the",
			"parts, the sender, the route, the cost where it is known, and the quota. Nothing is stored or paid for, and an",
			"Idempotency-Key is not looked at. What the send would refuse is a 200 here, with the same error in `error`; a body",
			"that does not have the form of a send is a 400 as there. It counts as one request, as a send does.",
		].join(" "),
		body: sendSmsBody,
		response: { 200: smsPreviewReply },
	},
} as const;

export const previewSms: Routes = (app, { clients }) => {
	app.route({
		...operation,
		handler: async (request) => {
			const messages = [toMessage(request, request.body)];
			const { results } = await clients.messaging.previewMessages({
				messages,
				describeTexts: true,
			});
			return toReply(required(results[0]));
		},
	});
};

function toReply(preview: PreviewResult): SmsPreviewReply {
	const { routes, quotaBefore } = preview;
	const text = toText(required(preview.text));
	const [only] = routes;
	return {
		success: true,
		...toVerdict(preview),
		recipient: preview.recipient || null,
		sender:
			preview.senderId === ""
				? null
				: { id: preview.senderId, value: preview.senderName },
		...text,
		provider:
			routes.length === 1 && only !== undefined ? { code: only.route } : null,
		routes: routes.map((route) => ({
			code: route.route,
			share: route.share,
			segmentCost: costOf([route], 1),
		})),
		cost: costOf(routes, text.segments),
		quotaBefore: quotaBefore === undefined ? null : Number(quotaBefore),
	};
}

function toVerdict({ send }: PreviewResult) {
	const result = send?.result;
	if (result?.case === "accepted")
		return {
			accepted: true,
			httpStatus: 202,
			error: null,
			send_at: toTime(result.value.sendAt),
			remainingQuota: Number(result.value.remainingQuota),
		};
	const refusal = refusalOfItem(result?.value);
	return {
		accepted: false,
		httpStatus: errorTable[refusal.code].status,
		error: toError(refusal),
		send_at: null,
		remainingQuota: null,
	};
}

function toTime(sendAt: Timestamp | undefined): string | null {
	return sendAt === undefined ? null : timestampDate(sendAt).toISOString();
}

function toText(text: NonNullable<PreviewResult["text"]>) {
	const { plain } = text;
	return {
		encoding: text.encoding === "ucs2" ? ("ucs2" as const) : ("gsm7" as const),
		segments: text.partUnits.length,
		parts: toParts(text.partUnits),
		foreignCharacters: {
			count: text.foreignCharacterCount,
			characters: text.foreignCharacters.map((one) => ({
				character: one.character,
				count: one.count,
				positions: one.positions,
				plain: one.plain ?? null,
			})),
		},
		plainText:
			plain === undefined
				? null
				: { message: plain.body, parts: toParts(plain.partUnits) },
	};
}

function toParts(units: readonly number[]) {
	return units.map((length) => ({ length }));
}

function costOf(routes: readonly RouteShare[], segments: number) {
	const cost = segmentCostOf(routes);
	if (cost === undefined) return null;
	const { micros, currency } = cost;
	return { amount: fromMicros(micros * BigInt(segments)), currency };
}
