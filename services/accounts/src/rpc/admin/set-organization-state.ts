import { recordAct, recordNothing } from "@airtower/platform/audit/record-act";
import { type Tx, transaction } from "@airtower/platform/database/database";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import { conflict, invalid } from "@airtower/platform/runtime/domain-error";
import type { AccountsAdminService } from "@airtower/proto/accounts/v1/admin";
import {
	isOrganizationState,
	mayMove,
	type OrganizationState,
} from "../../domain/organization-state.ts";
import { SUBSCRIPTION_STATE_WITH } from "../../domain/subscription-state.ts";
import { unknownOrganization } from "../../errors.ts";
import { publishChange } from "../../publish-change.ts";
import {
	lockOrganizationState,
	updateOrganizationState,
} from "../../store/organization-states.ts";
import { findOrganization } from "../../store/organizations.ts";
import { updateSubscriptionState } from "../../store/subscriptions.ts";
import type { Handler } from "../handler.ts";
import { organizationToProto } from "./organization-to-proto.ts";

/** Moves an organization to another state; asking for the state it is in changes and publishes nothing. */
export const setOrganizationState: Handler<
	typeof AccountsAdminService.method.setOrganizationState
> = async (ctx, request, context) => {
	assertOrganization(context, request.organizationId);
	const organizationId = request.organizationId.toLowerCase();
	const to = readState(request.state);
	const row = await transaction(ctx.sql, async (sql) => {
		const from = await lockOrganizationState(sql, organizationId);
		if (from === undefined) throw unknownOrganization();
		if (from === to) recordNothing(context);
		else {
			await move(sql, organizationId, from, to);
			const facts = { before: { state: from }, after: { state: to } };
			await recordAct(sql, context, { organizationId, ...facts });
		}
		return findOrganization(sql, organizationId);
	});
	if (row === undefined) throw unknownOrganization();
	ctx.wakeRelay();
	return { organization: organizationToProto(row) };
};

function readState(value: string): OrganizationState {
	if (isOrganizationState(value)) return value;
	throw invalid("validation_failed", "state", "There is no such state.");
}

async function move(
	sql: Tx,
	organizationId: string,
	from: OrganizationState,
	to: OrganizationState,
): Promise<void> {
	if (!mayMove(from, to))
		throw conflict(
			"invalid_transition",
			`An organization that is ${from} cannot become ${to}.`,
		);
	await updateOrganizationState(sql, organizationId, to);
	const subscription = SUBSCRIPTION_STATE_WITH[to];
	if (subscription !== undefined)
		await updateSubscriptionState(sql, organizationId, subscription);
	await publishChange(sql, organizationId, {
		case: "organizationChanged",
		value: { state: to },
	});
}
