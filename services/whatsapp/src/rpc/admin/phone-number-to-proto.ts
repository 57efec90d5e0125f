import type { PhoneNumberSchema } from "@airtower/proto/whatsapp/v1/admin";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { PhoneNumberRow } from "../../store/phone-numbers.ts";

export function phoneNumberToProto(
	row: PhoneNumberRow,
): MessageInitShape<typeof PhoneNumberSchema> {
	const { id, phone, status } = row;
	return {
		id,
		phone,
		status,
		stoppedReason: row.stoppedReason ?? "",
		createdAt: timestampFromDate(row.createdAt),
	};
}
