import {
	type RpcRoute,
	rpcRoute,
	withContext,
} from "@airtower/platform/rpc/route";
import { AccountService } from "@airtower/proto/accounts/v1/account";
import { AccountsService } from "@airtower/proto/accounts/v1/accounts";
import { AccountsAdminService } from "@airtower/proto/accounts/v1/admin";
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

/** Every RPC of the service. */
export function rpcRoutes(ctx: AccountsContext): RpcRoute[] {
	return [
		rpcRoute(
			AccountsService,
			withContext(ctx, { authenticateKeys, reserveQuota, releaseQuota }),
		),
		rpcRoute(
			AccountService,
			withContext(ctx, {
				getAccount,
				listLedgerEntries,
				listApiKeys,
				createApiKey,
				deleteApiKey,
			}),
		),
		rpcRoute(
			AccountsAdminService,
			withContext(ctx, {
				createOrganization,
				getOrganization,
				grantQuota,
				setOrganizationState,
				listOrganizations,
				setOrganizationPlan,
				putPlan,
				listPlans,
				issueApiKey,
				revokeApiKey,
			}),
		),
	];
}
