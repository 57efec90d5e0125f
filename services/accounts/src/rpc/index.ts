import {
	type RpcRoute,
	rpcRoute,
	withContext,
} from "@airtower/platform/rpc/route";
import { AccountService } from "@airtower/proto/accounts/v1/account";
import { AccountsService } from "@airtower/proto/accounts/v1/accounts";
import { AccountsAdminService } from "@airtower/proto/accounts/v1/admin";
import type { Context } from "../context.ts";
import { createOrganization } from "./admin/create-organization.ts";
import { getOrganization } from "./admin/get-organization.ts";
import { grantQuota } from "./admin/grant-quota.ts";
import { issueApiKey } from "./admin/issue-api-key.ts";
import { listOrganizations } from "./admin/list-organizations.ts";
import { listPlans } from "./admin/list-plans.ts";
import { listUndebitedMessages } from "./admin/list-undebited-messages.ts";
import { putPlan } from "./admin/put-plan.ts";
import { revokeApiKey } from "./admin/revoke-api-key.ts";
import { setOrganizationPlan } from "./admin/set-organization-plan.ts";
import { setOrganizationState } from "./admin/set-organization-state.ts";
import { settleUndebitedMessages } from "./admin/settle-undebited-messages.ts";
import { authenticateKeys } from "./authenticate-keys.ts";
import { createApiKey } from "./create-api-key.ts";
import { deleteApiKey } from "./delete-api-key.ts";
import { getAccount } from "./get-account.ts";
import { getDeliveryReport } from "./get-delivery-report.ts";
import { getUsageReport } from "./get-usage-report.ts";
import { listApiKeys } from "./list-api-keys.ts";
import { listLedgerEntries } from "./list-ledger-entries.ts";
import { previewQuota } from "./preview-quota.ts";
import { releaseQuota } from "./release-quota.ts";
import { reserveQuota } from "./reserve-quota.ts";

export function rpcRoutes(ctx: Context): RpcRoute[] {
	return [
		rpcRoute(
			AccountsService,
			withContext(ctx, {
				authenticateKeys,
				reserveQuota,
				previewQuota,
				releaseQuota,
			}),
		),
		rpcRoute(
			AccountService,
			withContext(ctx, {
				getAccount,
				listLedgerEntries,
				getUsageReport,
				getDeliveryReport,
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
				listUndebitedMessages,
				settleUndebitedMessages,
			}),
		),
	];
}
