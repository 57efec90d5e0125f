import type { OrganizationSchema } from "@airtower/proto/accounts/v1/admin";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { OrganizationRow } from "../../store/organizations.ts";

export function organizationToProto(
	row: OrganizationRow,
): MessageInitShape<typeof OrganizationSchema> {
	return {
		id: row.id,
		name: row.name,
		email: row.email,
		state: row.state,
		plan: row.plan,
		defaultCountry: row.defaultCountry ?? "",
		balance: BigInt(row.balance),
		createdAt: timestampFromDate(row.createdAt),
	};
}
