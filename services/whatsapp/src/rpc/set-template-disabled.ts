import { assertOrganization } from "@airtower/platform/rpc/caller";
import type {
	SetTemplateDisabledRequest,
	SetTemplateDisabledResponseSchema,
} from "@airtower/proto/whatsapp/v1/admin";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type { Context } from "../context.ts";
import { unknownTemplate } from "../errors.ts";
import { updateLocallyDisabled } from "../store/templates.ts";

/** Disables or enables a template for this platform alone. */
export async function setTemplateDisabled(
	ctx: Context,
	request: SetTemplateDisabledRequest,
	context: HandlerContext,
): Promise<MessageInitShape<typeof SetTemplateDisabledResponseSchema>> {
	const { organizationId, templateId, disabled } = request;
	assertOrganization(context, organizationId);
	const isKnown = await updateLocallyDisabled(
		ctx.sql,
		organizationId,
		templateId,
		disabled,
	);
	if (!isKnown) throw unknownTemplate();
	return {};
}
