import type { GetAccountResponse } from "@airtower/proto/accounts/v1/account";
import type { Clients } from "../../../clients.ts";
import { scopeAccess } from "../../../domain/access.ts";
import { callerOf } from "../../../plugins/auth.ts";
import { account, disabledWebhook } from "../../../schemas/account.ts";
import { successBody } from "../../../schemas/common.ts";
import type { Routes } from "../../routes.ts";
import { toRecord } from "../../to-record.ts";

const WEBHOOKS_TIMEOUT_MS = 1_000;
/** More than an organization may have. */
const MOST_WEBHOOKS = 200;

export const getAccount: Routes = (app, { clients }) => {
	app.route({
		method: "GET",
		url: "/account",
		config: { access: scopeAccess("account:read", { whileSuspended: true }) },
		schema: {
			operationId: "getAccount",
			tags: ["Account"],
			summary: "Read the account",
			description: [
				"Commercial state, subscription, quota and disabled webhook endpoints.",
				"Open to a suspended or closed organization too.",
			].join(" "),
			response: { 200: successBody({ account }) },
		},
		handler: async (request) => {
			const { organizationId } = callerOf(request);
			const [found, disabled_webhooks] = await Promise.all([
				clients.account.getAccount({ organizationId }),
				findDisabledWebhooks(clients, organizationId),
			]);
			const account = { ...toAccount(found), disabled_webhooks };
			return { success: true as const, account };
		},
	});
};

/** Null when webhooks does not respond: the account is told without it. */
async function findDisabledWebhooks(
	{ webhooks }: Clients,
	organizationId: string,
) {
	const request = { organizationId, page: { limit: MOST_WEBHOOKS } };
	const options = { timeoutMs: WEBHOOKS_TIMEOUT_MS };
	const found = await webhooks
		.listEndpoints(request, options)
		.catch(() => undefined);
	if (found === undefined) return null;
	return found.endpoints
		.filter(({ status }) => status === "disabled")
		.map((endpoint) => toRecord(disabledWebhook, endpoint));
}

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
