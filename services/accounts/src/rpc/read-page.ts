import { pageStart } from "@airtower/platform/database/page";
import { invalid } from "@airtower/platform/runtime/domain-error";
import { isUuid } from "@airtower/platform/runtime/ids";
import type { PageRequest } from "@airtower/proto/common/v1/page";
import type { Page } from "../store/page.ts";

/** Throws invalid `invalid_cursor` when the page begins after a row that no list of this service has. */
export function readPage(request: PageRequest | undefined): Page {
	const after = pageStart(request);
	if (after !== undefined && !isUuid(after.id))
		throw invalid(
			"invalid_cursor",
			"cursor",
			"The cursor does not belong to this list.",
		);
	return { limit: request?.limit ?? 0, after };
}
