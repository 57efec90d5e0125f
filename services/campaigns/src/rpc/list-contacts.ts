import { cutPage, pageStart } from "@airtower/platform/database/page";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import type {
	ListContactsRequest,
	ListContactsResponseSchema,
} from "@airtower/proto/campaigns/v1/contacts";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type { Context } from "../context.ts";
import { normalizeTag } from "../domain/tags.ts";
import {
	type ContactKey,
	findContacts,
	findContactsByTag,
} from "../store/contacts.ts";
import { contactToProto } from "./contact-to-proto.ts";

/** One page of contacts, newest first, of one tag when one is given. */
export async function listContacts(
	ctx: Context,
	request: ListContactsRequest,
	context: HandlerContext,
): Promise<MessageInitShape<typeof ListContactsResponseSchema>> {
	assertOrganization(context, request.organizationId);
	const limit = request.page?.limit ?? 0;
	const range = { limit: limit + 1, after: contactKey(request) };
	const tag = normalizeTag(request.tag);
	const found =
		tag === ""
			? await findContacts(ctx.sql, request.organizationId, range)
			: await findContactsByTag(ctx.sql, request.organizationId, tag, range);
	const { rows, next } = cutPage(found, limit);
	return { contacts: rows.map(contactToProto), ...(next && { next }) };
}

function contactKey(request: ListContactsRequest): ContactKey | undefined {
	const after = pageStart(request.page);
	return after && { createdAt: after.createdAt, id: Number(after.id) };
}
