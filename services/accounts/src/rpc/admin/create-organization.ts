import { recordAct } from "@airtower/platform/audit/record-act";
import { type Tx, transaction } from "@airtower/platform/database/database";
import { isUniqueViolation } from "@airtower/platform/database/sql-errors";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import { conflict, invalid } from "@airtower/platform/runtime/domain-error";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import type {
	AccountsAdminService,
	CreateOrganizationRequest,
} from "@airtower/proto/accounts/v1/admin";
import { isNumberedCountry } from "@airtower/proto/rules/phone-number";
import { isPlain } from "@airtower/proto/rules/plain-text";
import {
	notPlainText,
	unknownOrganization,
	unknownPlan,
} from "../../errors.ts";
import { insertBalance } from "../../store/balances.ts";
import {
	findOrganization,
	insertOrganization,
	type NewOrganization,
	type OrganizationRow,
} from "../../store/organizations.ts";
import { findPlan } from "../../store/plans.ts";
import { insertSubscription } from "../../store/subscriptions.ts";
import type { Handler } from "../handler.ts";
import { organizationToProto } from "./organization-to-proto.ts";

const DEFAULT_PLAN = "default";

/** On trial, with an empty balance. Only for a caller of every organization. */
export const createOrganization: Handler<
	typeof AccountsAdminService.method.createOrganization
> = async (ctx, request, context) => {
	const organization = readOrganization(request);
	assertOrganization(context, organization.id);
	const plan = request.plan === "" ? DEFAULT_PLAN : request.plan;
	try {
		const row = await transaction(ctx.sql, async (sql) => {
			const row = await insert(sql, organization, plan);
			const { id: organizationId, state, defaultCountry } = row;
			// Its name must be erasable.
			const after = { state, plan: row.plan, default_country: defaultCountry };
			await recordAct(sql, context, { organizationId, after });
			return row;
		});
		return { organization: organizationToProto(row) };
	} catch (error) {
		throw toRefusal(error);
	}
};

function readOrganization(request: CreateOrganizationRequest): NewOrganization {
	const name = request.name.trim();
	if (name === "" || !isPlain(name)) throw notPlainText("name");
	const { email, defaultCountry } = request;
	if (defaultCountry !== "" && !isNumberedCountry(defaultCountry))
		throw invalid(
			"validation_failed",
			"default_country",
			"Field default_country: must be a country with telephone numbers, as FR is.",
		);
	return {
		id: uuidv7(),
		name,
		email,
		state: "trial",
		defaultCountry: defaultCountry === "" ? null : defaultCountry,
	};
}

async function insert(
	sql: Tx,
	organization: NewOrganization,
	plan: string,
): Promise<OrganizationRow> {
	if (!isPlain(plan) || (await findPlan(sql, plan)) === undefined)
		throw unknownPlan();
	await insertOrganization(sql, organization);
	await insertSubscription(sql, organization.id, plan);
	await insertBalance(sql, organization.id);
	const row = await findOrganization(sql, organization.id);
	if (row === undefined) throw unknownOrganization();
	return row;
}

function toRefusal(error: unknown): unknown {
	if (!isUniqueViolation(error, "organizations_name_unique")) return error;
	return conflict(
		"organization_exists",
		"An organization of this name exists.",
		{ cause: error },
	);
}
