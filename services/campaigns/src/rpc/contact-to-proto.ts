import type { ContactSchema } from "@airtower/proto/campaigns/v1/contacts";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Contact } from "../store/contacts.ts";

export function contactToProto(
	contact: Contact,
): MessageInitShape<typeof ContactSchema> {
	return {
		id: BigInt(contact.id),
		name: contact.name,
		phone: contact.phone,
		email: contact.email ?? "",
		tags: contact.tags,
		createdAt: timestampFromDate(contact.createdAt),
	};
}
