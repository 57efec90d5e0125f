import { type Tx, transaction } from "@airtower/platform/database/database";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { AccountsAdminService } from "@airtower/proto/accounts/v1/admin";
import { hasControlCharacters } from "../../domain/text.ts";
import { unknownOrganization, unknownPlan } from "../../errors.ts";
import { publishChange } from "../../publish-change.ts";
import {
	findOrganization,
	lockOrganizationState,
	type OrganizationRow,
} from "../../store/organizations.ts";
import { findPlan } from "../../store/plans.ts";
import { updateSubscriptionPlan } from "../../store/subscriptions.ts";
import type { Handler } from "../handler.ts";
import { organizationToProto } from "./organization-to-proto.ts";

/** Moves an organization to another plan; asking for the plan it has changes and publishes nothing. */
export const setOrganizationPlan: Handler<
	typeof AccountsAdminService.method.setOrganizationPlan
> = async (ctx, request, context) => {
	assertOrganization(context, request.organizationId);
	const organizationId = request.organizationId.toLowerCase();
	const row = await transaction(ctx.sql, (sql) =>
		move(sql, organizationId, request.plan),
	);
	ctx.wakeRelay();
	return { organization: organizationToProto(row) };
};

async function move(
	sql: Tx,
	organizationId: string,
	plan: string,
): Promise<OrganizationRow> {
	const state = await lockOrganizationState(sql, organizationId);
	if (state === undefined) throw unknownOrganization();
	if (hasControlCharacters(plan) || (await findPlan(sql, plan)) === undefined)
		throw unknownPlan();
	if (await updateSubscriptionPlan(sql, organizationId, plan))
		await publishChange(sql, organizationId, {
			case: "organizationChanged",
			value: { state },
		});
	const row = await findOrganization(sql, organizationId);
	if (row === undefined) throw unknownOrganization();
	return row;
}
