import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { Handler } from "@airtower/platform/rpc/route";
import type { ContactsService } from "@airtower/proto/campaigns/v1/contacts";
import type { Context } from "../context.ts";
import { unknownContact } from "../errors.ts";
import { removeContact } from "../store/contacts.ts";

/** Removes a contact; campaigns that have copied it already still send to it. */
export const deleteContact: Handler<
	Context,
	typeof ContactsService.method.deleteContact
> = async ({ sql }, { organizationId, contactId }, context) => {
	assertOrganization(context, organizationId);
	const id = Number(contactId);
	const isKnown =
		Number.isSafeInteger(id) && (await removeContact(sql, organizationId, id));
	if (!isKnown) throw unknownContact();
	return {};
};
