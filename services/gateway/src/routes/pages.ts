import type { KeyRing } from "@airtower/platform/runtime/key-ring";
import {
	type PageKey,
	type PageRequest,
	PageRequestSchema,
} from "@airtower/proto/common/v1/page";
import { create } from "@bufbuild/protobuf";
import {
	type CursorScope,
	decodeCursor,
	encodeCursor,
} from "../domain/cursor.ts";
import { RefusalError } from "../errors.ts";

/** The page that a validated query asks for. Throws `invalid_cursor`. */
export function pageRequestOf(
	ring: KeyRing,
	scope: CursorScope,
	query: { readonly limit: number; readonly cursor?: string | undefined },
): PageRequest {
	const { limit, cursor } = query;
	if (cursor === undefined) return create(PageRequestSchema, { limit });
	const position = decodeCursor(ring, scope, cursor);
	if (position === undefined)
		throw new RefusalError({ code: "invalid_cursor" });
	const { seconds, nanos, id } = position;
	return create(PageRequestSchema, {
		limit,
		after: { createdAt: { seconds, nanos }, id },
	});
}

/** The cursor of the next page, null when there is none. */
export function nextCursorOf(
	ring: KeyRing,
	scope: CursorScope,
	next: PageKey | undefined,
): string | null {
	if (next?.createdAt === undefined) return null;
	const { seconds, nanos } = next.createdAt;
	return encodeCursor(ring, scope, { seconds, nanos, id: next.id });
}
