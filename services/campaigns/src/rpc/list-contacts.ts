import { cutPage, pageStart } from "@airtower/platform/database/page";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { Handler } from "@airtower/platform/rpc/route";
import type { ContactsService } from "@airtower/proto/campaigns/v1/contacts";
import type { Context } from "../context.ts";
import { normalizeTag } from "../domain/tags.ts";
import { findContacts, findContactsByTag } from "../store/contacts.ts";
import { contactToProto } from "./contact-to-proto.ts";

export const listContacts: Handler<
	Context,
	typeof ContactsService.method.listContacts
> = async ({ sql }, { organizationId, page, ...request }, context) => {
	assertOrganization(context, organizationId);
	const limit = page?.limit ?? 0;
	const start = pageStart(page);
	const after = start && { ...start, id: Number(start.id) };
	const range = { limit: limit + 1, after };
	const tag = normalizeTag(request.tag);
	const found =
		tag === ""
			? await findContacts(sql, organizationId, range)
			: await findContactsByTag(sql, organizationId, tag, range);
	const { rows, next } = cutPage(found, limit);
	return { contacts: rows.map(contactToProto), ...(next && { next }) };
};
