import {
	respondOnce,
	toIdempotencyKey,
} from "@airtower/platform/database/respond-once";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { Handler } from "@airtower/platform/rpc/route";
import { invalid } from "@airtower/platform/runtime/domain-error";
import {
	type ContactsService,
	type CreateContactRequest,
	CreateContactResponseSchema,
} from "@airtower/proto/campaigns/v1/contacts";
import { normalizePhoneNumber } from "@airtower/proto/rules/phone-number";
import type { Context } from "../context.ts";
import { readName } from "../domain/name.ts";
import { normalizeTags } from "../domain/tags.ts";
import { contactExists, contactLimitReached } from "../errors.ts";
import { insertContact, type NewContact } from "../store/contacts.ts";
import { contactToProto } from "./contact-to-proto.ts";

/** Something, an at sign, a domain with a dot: the rest is the mail system's judgement. */
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

export const createContact: Handler<
	Context,
	typeof ContactsService.method.createContact
> = async ({ sql, bounds }, request, context) => {
	const { organizationId } = request;
	assertOrganization(context, organizationId);
	const contact = readContact(request);
	const { response, replayed } = await respondOnce(sql, {
		schema: CreateContactResponseSchema,
		key: toIdempotencyKey(organizationId, request.idempotency),
		work: async (sql) => {
			const row = await insertContact(sql, organizationId, contact);
			if (row === undefined) throw contactExists();
			if (row.count > bounds.contacts)
				throw contactLimitReached(bounds.contacts);
			return { contact: contactToProto(row) };
		},
	});
	return { ...response, replayed };
};

function readContact(request: CreateContactRequest): NewContact {
	const name = readName(request.name);
	const phone = normalizePhoneNumber(request.phone, request.defaultCountry);
	if (phone === undefined)
		throw invalid(
			"invalid_phone_number",
			"phone",
			"This is not a valid phone number; use the international form, for example +33612345678.",
		);
	const email = request.email.trim();
	if (email !== "" && (!EMAIL.test(email) || email.includes("\0")))
		throw invalid("invalid_format", "email", "This is not an e-mail address.");
	const tags = normalizeTags(request.tags, "tags");
	return { name, phone, email: email === "" ? null : email, tags };
}
