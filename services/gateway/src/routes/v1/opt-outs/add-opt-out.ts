import type { RefusedOptOut } from "@airtower/proto/messaging/v1/opt_outs";
import { scopeAccess } from "../../../domain/access.ts";
import { RefusalError } from "../../../errors.ts";
import { callerOf } from "../../../plugins/auth.ts";
import { markReplay } from "../../../plugins/idempotency.ts";
import {
	addOptOutBody,
	addOptOutReply,
	optOut,
} from "../../../schemas/opt-outs.ts";
import { required } from "../../required.ts";
import type { Routes } from "../../routes.ts";
import { toRecord } from "../../to-record.ts";

const operation = {
	method: "POST",
	url: "/opt-outs",
	config: { access: scopeAccess("contacts:write") },
	schema: {
		operationId: "addOptOut",
		tags: ["Opt-outs"],
		summary: "List a number as opted out",
		description: [
			"SMS to it are refused from now on, and those that wait fail, both as `recipient_opted_out`; campaigns skip it.",
			"The number is told nothing. One that is listed already stays as it is.",
		].join(" "),
		body: addOptOutBody,
		response: { 200: addOptOutReply },
	},
} as const;

export const addOptOut: Routes = (app, { clients }) => {
	app.route({
		...operation,
		handler: async (request, reply) => {
			const { organizationId, defaultCountry } = callerOf(request);
			const { recipient, sender = "" } = request.body;
			const added = await clients.optOuts.addOptOuts({
				organizationId,
				defaultCountry,
				optOuts: [{ recipient, sender }],
				source: "api",
				...request.idempotent,
			});
			const [refused] = added.refused;
			if (refused !== undefined) throw toRefusal(refused);
			markReplay(reply, added.replayed);
			const record = toRecord(optOut, required(added.optOut));
			return { success: true as const, optOut: record };
		},
	});
};

function toRefusal({ reason }: RefusedOptOut): RefusalError {
	const detail =
		reason === "invalid_sender_id"
			? {
					field: "sender",
					code: reason,
					message: "'sender' is not the value of a sender ID.",
				}
			: {
					field: "recipient",
					code: "invalid_phone_number",
					message:
						"'recipient' is not a valid phone number; use the international form, for example +33612345678.",
				};
	return new RefusalError({ code: "validation_failed", details: [detail] });
}
