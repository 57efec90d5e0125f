import { assertOrganization, callerOf } from "@airtower/platform/rpc/caller";
import { invalid } from "@airtower/platform/runtime/domain-error";
import { isUuid } from "@airtower/platform/runtime/ids";
import type {
	AccountsAdminService,
	GetOrganizationRequest,
} from "@airtower/proto/accounts/v1/admin";
import { isPlain } from "@airtower/proto/rules/plain-text";
import type { Context } from "../../context.ts";
import { unknownOrganization } from "../../errors.ts";
import {
	findOrganization,
	findOrganizationByName,
	type OrganizationRow,
} from "../../store/organizations.ts";
import type { Handler } from "../handler.ts";
import { organizationToProto } from "./organization-to-proto.ts";

export const getOrganization: Handler<
	typeof AccountsAdminService.method.getOrganization
> = async (ctx, request, context) => {
	const { organizationId, name } = request;
	if ((organizationId === "") === (name === ""))
		throw invalid(
			"validation_failed",
			"organization_id",
			"Give either the organization's identifier or its name.",
		);
	if (organizationId !== "") assertOrganization(context, organizationId);
	const row = await find(ctx, request);
	const { organization } = callerOf(context);
	// A name that belongs to another organization is unknown, like one that nobody has.
	const mayRead = name === "" || ["*", row?.id].includes(organization);
	if (row === undefined || !mayRead) throw unknownOrganization();
	return { organization: organizationToProto(row) };
};

async function find(
	{ sql }: Context,
	{ organizationId, name }: GetOrganizationRequest,
): Promise<OrganizationRow | undefined> {
	if (isUuid(organizationId)) return findOrganization(sql, organizationId);
	return name === "" || !isPlain(name)
		? undefined
		: findOrganizationByName(sql, name);
}
