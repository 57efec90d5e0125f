import { runIdempotently } from "@airtower/platform/database/idempotency";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import {
	type CreateContactRequest,
	type CreateContactResponse,
	CreateContactResponseSchema,
} from "@airtower/proto/campaigns/v1/contacts";
import { normalizePhoneNumber } from "@airtower/proto/rules/phone-number";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type { CampaignsContext } from "../context.ts";
import { normalizeTags } from "../domain/tags.ts";
import { contactExists, invalid } from "../errors.ts";
import { insertContact, type NewContact } from "../store/contacts.ts";
import { contactToProto } from "./contact-to-proto.ts";
import { idempotencyKeyOf } from "./idempotency-key.ts";

/** Something, an at sign, a domain with a dot: the rest is the mail system's judgement. */
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Creates a contact; the phone is unique within the organization. */
export async function createContact(
	ctx: CampaignsContext,
	request: CreateContactRequest,
	context: HandlerContext,
): Promise<CreateContactResponse> {
	const { organizationId } = request;
	assertOrganization(context, organizationId);
	const contact = readContact(request);
	const { response, replayed } = await runIdempotently(
		ctx.sql,
		idempotencyKeyOf(organizationId, request.idempotency),
		async (sql) => {
			const row = await insertContact(sql, organizationId, contact);
			if (row === undefined) throw contactExists();
			const answer = { contact: contactToProto(row) };
			return toBinary(
				CreateContactResponseSchema,
				create(CreateContactResponseSchema, answer),
			);
		},
	);
	const answer = fromBinary(CreateContactResponseSchema, response);
	answer.replayed = replayed;
	return answer;
}

function readContact(request: CreateContactRequest): NewContact {
	const name = request.name.trim();
	if (name === "" || name.includes("\0"))
		throw invalid("too_short", "name", "A name has 1 to 200 characters.");
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
