import { assertOrganization } from "@airtower/platform/rpc/caller";
import type {
	GetAccountRequest,
	GetAccountResponseSchema,
} from "@airtower/proto/accounts/v1/account";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { HandlerContext } from "@connectrpc/connect";
import type { AccountsContext } from "../context.ts";
import { billingPeriodAt } from "../domain/billing-period.ts";
import { unknownOrganization } from "../errors.ts";
import { findQuotaSince } from "../store/ledger-entries.ts";
import { findOrganization } from "../store/organizations.ts";
import { findSubscription } from "../store/subscriptions.ts";

/** Reads an account. The period of a canceled subscription is the one that ran when it ended. */
export async function getAccount(
	ctx: AccountsContext,
	request: GetAccountRequest,
	context: HandlerContext,
): Promise<MessageInitShape<typeof GetAccountResponseSchema>> {
	assertOrganization(context, request.organizationId);
	const { organizationId } = request;
	const organization = await findOrganization(ctx.sql, organizationId);
	const subscription = await findSubscription(ctx.sql, organizationId);
	if (organization === undefined || subscription === undefined)
		throw unknownOrganization();
	const period = billingPeriodAt(
		subscription.startedAt,
		subscription.canceledAt ?? ctx.clock(),
	);
	const quota = await findQuotaSince(ctx.sql, organizationId, period.start);
	return {
		organizationId: organization.id,
		name: organization.name,
		email: organization.email,
		commercialState: organization.state,
		plan: subscription.plan,
		subscriptionStatus: subscription.status,
		currentPeriodStart: timestampFromDate(period.start),
		currentPeriodEnd: timestampFromDate(period.end),
		smsRemaining: BigInt(quota.remaining),
		smsUsedThisPeriod: BigInt(quota.used),
	};
}
