import { assertOrganization, callerOf } from "@airtower/platform/rpc/caller";
import { isUuid } from "@airtower/platform/runtime/ids";
import type { AccountsAdminService } from "@airtower/proto/accounts/v1/admin";
import type { HandlerContext } from "@connectrpc/connect";
import type { Context } from "../../context.ts";
import { hasControlCharacters } from "../../domain/text.ts";
import { invalid, unknownOrganization } from "../../errors.ts";
import {
	findOrganization,
	findOrganizationByName,
	type OrganizationRow,
} from "../../store/organizations.ts";
import type { Handler } from "../handler.ts";
import { organizationToProto } from "./organization-to-proto.ts";

/** Reads an organization by its identifier or by its name, with its balance. */
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
	const row =
		name === ""
			? await findById(ctx, organizationId, context)
			: await findByName(ctx, name, context);
	if (row === undefined) throw unknownOrganization();
	return { organization: organizationToProto(row) };
};

async function findById(
	ctx: Context,
	organizationId: string,
	context: HandlerContext,
): Promise<OrganizationRow | undefined> {
	assertOrganization(context, organizationId);
	return isUuid(organizationId)
		? findOrganization(ctx.sql, organizationId)
		: undefined;
}

/** A name that belongs to another organization is unknown, like one that nobody has. */
async function findByName(
	ctx: Context,
	name: string,
	context: HandlerContext,
): Promise<OrganizationRow | undefined> {
	if (hasControlCharacters(name)) return undefined;
	const row = await findOrganizationByName(ctx.sql, name);
	const { organization } = callerOf(context);
	return organization === "*" || organization === row?.id ? row : undefined;
}
