import { isUuid } from "@airtower/platform/runtime/ids";
import { scopeAccess } from "../../../domain/access.ts";
import { RefusalError } from "../../../errors.ts";
import { callerOf } from "../../../plugins/auth.ts";
import { successBody } from "../../../schemas/common.ts";
import { optOutParams } from "../../../schemas/opt-outs.ts";
import type { Routes } from "../../routes.ts";

const operation = {
	method: "DELETE",
	url: "/opt-outs/:optOutId",
	config: {
		access: scopeAccess("contacts:write"),
		errors: ["unknown_opt_out"],
	},
	schema: {
		operationId: "removeOptOut",
		tags: ["Opt-outs"],
		summary: "Remove an opt-out",
		description:
			"The number may be sent to again. Do so only where its owner asked for it; who writes START does it alone.",
		params: optOutParams,
		response: { 200: successBody({}) },
	},
} as const;

export const removeOptOut: Routes = (app, { clients }) => {
	app.route({
		...operation,
		handler: async (request) => {
			const { organizationId } = callerOf(request);
			const { optOutId } = request.params;
			if (!isUuid(optOutId))
				throw new RefusalError({ code: "unknown_opt_out" });
			await clients.optOuts.removeOptOut({ organizationId, optOutId });
			return { success: true as const };
		},
	});
};
