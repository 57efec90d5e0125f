import { assertOrganization } from "@airtower/platform/rpc/caller";
import { invalid } from "@airtower/platform/runtime/domain-error";
import { LOWEST_ID } from "@airtower/platform/runtime/ids";
import type { RouteRuleService } from "@airtower/proto/messaging/v1/route_rules";
import { normalizePhoneNumber } from "@airtower/proto/rules/phone-number";
import { explainRoute as explain } from "../../domain/routing/explain-route.ts";
import type { Handler } from "../handler.ts";

/** By the rules and routes that this process chooses by at this moment. */
export const explainRoute: Handler<
	typeof RouteRuleService.method.explainRoute
> = async (ctx, request, context) => {
	assertOrganization(context, "*");
	const recipient = normalizePhoneNumber(request.to, "");
	if (recipient === undefined)
		throw invalid(
			"invalid_phone_number",
			"to",
			"This is not a valid phone number; write it in international form, for example +33612345678.",
		);
	const table = ctx.routes.table();
	const { sender } = request;
	const organizationId = request.organizationId.toLowerCase() || LOWEST_ID;
	const { choice, steps, candidates, leftOut } = explain(
		table,
		{ recipient, sender, organizationId },
		request.messageId || undefined,
	);
	return {
		...choice,
		version: table.version,
		to: recipient,
		steps: [...steps],
		candidates: [...candidates],
		leftOut: [...leftOut],
	};
};
