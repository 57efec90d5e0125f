import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { AccountService } from "@airtower/proto/accounts/v1/account";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { billingPeriodAt } from "../domain/billing-period.ts";
import { unknownOrganization } from "../errors.ts";
import { findOrganization } from "../store/organizations.ts";
import { findQuotaSince } from "../store/quota.ts";
import { findSubscription } from "../store/subscriptions.ts";
import type { Handler } from "./handler.ts";

/** Reads an account. The period of a canceled subscription is the one that ran when it ended. */
export const getAccount: Handler<
	typeof AccountService.method.getAccount
> = async (ctx, request, context) => {
	assertOrganization(context, request.organizationId);
	const { organizationId } = request;
	const organization = await findOrganization(ctx.sql, organizationId);
	const subscription = await findSubscription(ctx.sql, organizationId);
	if (organization === undefined || subscription === undefined)
		throw unknownOrganization();
	const at = subscription.canceledAt ?? ctx.clock();
	const period = billingPeriodAt(subscription.startedAt, at);
	const quota = await findQuotaSince(ctx.sql, organizationId, period.start);
	const { id, name, email } = organization;
	return {
		organizationId: id,
		name,
		email,
		commercialState: organization.state,
		plan: subscription.plan,
		subscriptionStatus: subscription.status,
		currentPeriodStart: timestampFromDate(period.start),
		currentPeriodEnd: timestampFromDate(period.end),
		smsRemaining: BigInt(quota.remaining),
		smsUsedThisPeriod: BigInt(quota.used),
	};
};
