import { parseClockTime } from "@airtower/proto/rules/clock-time";
import { scopeAccess } from "../../../domain/access.ts";
import { addressOf } from "../../../domain/client-address.ts";
import { callerOf } from "../../../plugins/auth.ts";
import {
	setQuietHoursBody,
	setQuietHoursReply,
} from "../../../schemas/quiet-hours.ts";
import { required } from "../../required.ts";
import type { Routes } from "../../routes.ts";
import { toQuietHours } from "./to-quiet-hours.ts";

const operation = {
	method: "PUT",
	url: "/quiet-hours",
	config: { access: scopeAccess("campaigns:write") },
	schema: {
		operationId: "setQuietHours",
		tags: ["Quiet hours"],
		summary: "Set the quiet hours",
		description: [
			"From now on campaigns and messages of the priority `bulk` that would go in these hours are accepted and paid",
			"for at once, and go at their end: at the first quarter hour that is not quiet in any time zone in which the",
			"recipient's number may be. Where these zones have no open time in common, it is the first that is quiet in",
			"the fewest. A number of no country, such as +800, has the zones of the organization's default country, or",
			"UTC. The `send_at` of a message tells when it goes. The priorities `normal` and `otp` never wait, and what",
			"was accepted before keeps its time. It is in GET /account/audit.",
		].join(" "),
		body: setQuietHoursBody,
		response: { 200: setQuietHoursReply },
	},
} as const;

export const setQuietHours: Routes = (app, { clients }) => {
	app.route({
		...operation,
		handler: async (request) => {
			const { organizationId, apiKeyId: callerApiKeyId } = callerOf(request);
			const { start, end } = request.body;
			const { quietHours } = await clients.quietHours.setQuietHours({
				organizationId,
				callerApiKeyId,
				callerAddress: addressOf(request),
				quietHours: {
					startMinute: required(parseClockTime(start)),
					endMinute: required(parseClockTime(end)),
				},
			});
			return {
				success: true as const,
				quietHours: toQuietHours(required(quietHours)),
			};
		},
	});
};
