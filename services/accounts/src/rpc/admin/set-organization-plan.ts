import { recordAct, recordNothing } from "@airtower/platform/audit/record-act";
import { type Tx, transaction } from "@airtower/platform/database/database";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { AccountsAdminService } from "@airtower/proto/accounts/v1/admin";
import { isPlain } from "@airtower/proto/rules/plain-text";
import { unknownOrganization, unknownPlan } from "../../errors.ts";
import { publishChange } from "../../publish-change.ts";
import { lockOrganizationState } from "../../store/organization-states.ts";
import { findOrganization } from "../../store/organizations.ts";
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
	const { plan } = request;
	const row = await transaction(ctx.sql, async (sql) => {
		const was = await move(sql, organizationId, plan);
		if (was === undefined) recordNothing(context);
		else {
			const facts = { before: { plan: was }, after: { plan } };
			await recordAct(sql, context, { organizationId, ...facts });
		}
		return findOrganization(sql, organizationId);
	});
	if (row === undefined) throw unknownOrganization();
	ctx.wakeRelay();
	return { organization: organizationToProto(row) };
};

/** Returns the plan before; undefined when nothing changed. */
async function move(
	sql: Tx,
	organizationId: string,
	plan: string,
): Promise<string | undefined> {
	const state = await lockOrganizationState(sql, organizationId);
	if (state === undefined) throw unknownOrganization();
	if (!isPlain(plan) || (await findPlan(sql, plan)) === undefined)
		throw unknownPlan();
	const was = await updateSubscriptionPlan(sql, organizationId, plan);
	if (was !== undefined)
		await publishChange(sql, organizationId, {
			case: "organizationChanged",
			value: { state },
		});
	return was;
}
