import type { GetAccountResponse } from "@airtower/proto/accounts/v1/account";
import { scopeAccess } from "../../../domain/access.ts";
import { callerOf } from "../../../plugins/auth.ts";
import { account } from "../../../schemas/account.ts";
import { successBody } from "../../../schemas/common.ts";
import type { Routes } from "../../routes.ts";
import { toRecord } from "../../to-record.ts";

export const getAccount: Routes = (app, { clients }) => {
	app.route({
		method: "GET",
		url: "/account",
		config: { access: scopeAccess("account:read", { whileSuspended: true }) },
		schema: {
			operationId: "getAccount",
			tags: ["Account"],
			summary: "Read the account",
			description:
				"Commercial state, subscription and quota. Open to a suspended or closed organization too.",
			response: { 200: successBody({ account }) },
		},
		handler: async (request) => {
			const { organizationId } = callerOf(request);
			const found = await clients.account.getAccount({ organizationId });
			return { success: true as const, account: toAccount(found) };
		},
	});
};

function toAccount(found: GetAccountResponse) {
	const { organization, commercial_state, subscription, quota } = account.shape;
	return {
		organization: toRecord(organization, {
			...found,
			id: found.organizationId,
		}),
		commercial_state: commercial_state.parse(found.commercialState),
		subscription: toRecord(subscription, {
			...found,
			status: found.subscriptionStatus,
		}),
		quota: {
			sms: toRecord(quota.shape.sms, {
				remaining: found.smsRemaining,
				usedThisPeriod: found.smsUsedThisPeriod,
			}),
		},
	};
}
