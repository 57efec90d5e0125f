import type { TemplateSchema } from "@airtower/proto/whatsapp/v1/whatsapp";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { TemplateRow } from "../store/templates.ts";

export function templateToProto(
	row: TemplateRow,
): MessageInitShape<typeof TemplateSchema> {
	const { id, name, language, category, status, body, parameterCount } = row;
	return {
		id,
		name,
		language,
		category,
		status,
		body,
		parameterCount,
		createdAt: timestampFromDate(row.createdAt),
		updatedAt: timestampFromDate(row.updatedAt),
	};
}
