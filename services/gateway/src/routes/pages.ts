import {
	type PageKey,
	PageKeySchema,
	type PageRequest,
	PageRequestSchema,
} from "@airtower/proto/common/v1/page";
import { create } from "@bufbuild/protobuf";
import type { Context } from "../context.ts";
import {
	type CursorScope,
	decodeCursor,
	encodeCursor,
} from "../domain/cursor.ts";
import { RefusalError } from "../errors.ts";
import { type Called, callerOf } from "../plugins/auth.ts";

interface PageQuery {
	readonly limit: number;
	readonly cursor?: string | undefined;
}

/** What every list RPC is asked with. */
interface PageOfOrganization {
	readonly organizationId: string;
	readonly page: PageRequest;
}

/**
 * Finds one page of a list and signs the cursor of the next one, null on the last page.
 * Throws `invalid_cursor`.
 */
export async function findPage<
	Q extends PageQuery,
	F extends { readonly next?: PageKey | undefined },
>(
	{ cursorKeys }: Pick<Context, "cursorKeys">,
	resource: string,
	request: Called & { readonly query: Q },
	find: (
		asked: PageOfOrganization,
		filters: Omit<Q, "limit" | "cursor">,
	) => Promise<F>,
): Promise<{ found: F; nextCursor: string | null }> {
	const { organizationId } = callerOf(request);
	const { limit, cursor, ...filters } = request.query;
	const scope: CursorScope = { resource, organizationId, filters };
	const page = create(PageRequestSchema, { limit });
	if (cursor !== undefined) {
		const position = decodeCursor(cursorKeys, scope, cursor);
		if (position === undefined)
			throw new RefusalError({ code: "invalid_cursor" });
		const { id, ...createdAt } = position;
		page.after = create(PageKeySchema, { createdAt, id });
	}
	const found = await find({ organizationId, page }, filters);
	if (found.next?.createdAt === undefined) return { found, nextCursor: null };
	const { createdAt, id } = found.next;
	const { seconds, nanos } = createdAt;
	const nextCursor = encodeCursor(cursorKeys, scope, { seconds, nanos, id });
	return { found, nextCursor };
}
