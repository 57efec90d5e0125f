import { AccountService } from "@airtower/proto/accounts/v1/account";
import { AccountsService } from "@airtower/proto/accounts/v1/accounts";
import { AccountsAdminService } from "@airtower/proto/accounts/v1/admin";
import type { ConnectRouter, HandlerContext } from "@connectrpc/connect";
import type { AccountsContext } from "../context.ts";
import { authenticateKeys } from "./authenticate-keys.ts";
import { createApiKey } from "./create-api-key.ts";
import { createOrganization } from "./create-organization.ts";
import { deleteApiKey } from "./delete-api-key.ts";
import { getAccount } from "./get-account.ts";
import { getOrganization } from "./get-organization.ts";
import { grantQuota } from "./grant-quota.ts";
import { issueApiKey } from "./issue-api-key.ts";
import { listApiKeys } from "./list-api-keys.ts";
import { listLedgerEntries } from "./list-ledger-entries.ts";
import { listOrganizations } from "./list-organizations.ts";
import { listPlans } from "./list-plans.ts";
import { putPlan } from "./put-plan.ts";
import { releaseQuota } from "./release-quota.ts";
import { reserveQuota } from "./reserve-quota.ts";
import { revokeApiKey } from "./revoke-api-key.ts";
import { setOrganizationPlan } from "./set-organization-plan.ts";
import { setOrganizationState } from "./set-organization-state.ts";

type Handler<Request, Answer> = (
	ctx: AccountsContext,
	request: Request,
	context: HandlerContext,
) => Promise<Answer>;

/** The RPC services of this process. */
export const services = [AccountsService, AccountService, AccountsAdminService];

/** Registers every RPC. */
export function routes(ctx: AccountsContext) {
	const using =
		<Q, A>(handler: Handler<Q, A>) =>
		(request: Q, context: HandlerContext) =>
			handler(ctx, request, context);

	return (router: ConnectRouter): void => {
		router.service(AccountsService, {
			authenticateKeys: using(authenticateKeys),
			reserveQuota: using(reserveQuota),
			releaseQuota: using(releaseQuota),
		});
		router.service(AccountService, {
			getAccount: using(getAccount),
			listLedgerEntries: using(listLedgerEntries),
			listApiKeys: using(listApiKeys),
			createApiKey: using(createApiKey),
			deleteApiKey: using(deleteApiKey),
		});
		router.service(AccountsAdminService, {
			createOrganization: using(createOrganization),
			getOrganization: using(getOrganization),
			grantQuota: using(grantQuota),
			setOrganizationState: using(setOrganizationState),
			listOrganizations: using(listOrganizations),
			setOrganizationPlan: using(setOrganizationPlan),
			putPlan: using(putPlan),
			listPlans: using(listPlans),
			issueApiKey: using(issueApiKey),
			revokeApiKey: using(revokeApiKey),
		});
	};
}
