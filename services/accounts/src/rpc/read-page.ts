import { uuidPageStart } from "@airtower/platform/database/page";
import type { PageRequest } from "@airtower/proto/common/v1/page";
import type { Page } from "../store/page.ts";

/** Throws invalid `invalid_cursor` when the page begins after a row that no list of this service has. */
export function readPage(request: PageRequest | undefined): Page {
	return { limit: request?.limit ?? 0, after: uuidPageStart(request) };
}
