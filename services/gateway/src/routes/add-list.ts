import {
	type PageKey,
	PageKeySchema,
	type PageRequest,
	PageRequestSchema,
} from "@airtower/proto/common/v1/page";
import { create } from "@bufbuild/protobuf";
import type { FastifyTypeProviderDefault } from "fastify";
import type { z } from "zod";
import type { Context } from "../context.ts";
import { type Scope, scopeAccess } from "../domain/access.ts";
import { decodeCursor, encodeCursor } from "../domain/cursor.ts";
import { RefusalError } from "../errors.ts";
import type { VerifiedKey } from "../keys/authenticate-keys.ts";
import { callerOf } from "../plugins/auth.ts";
import { pageBody, type pageQuery } from "../schemas/pages.ts";
import type { App } from "./routes.ts";

type PageQuery = z.infer<typeof pageQuery>;

export interface ListOptions<
	Query extends z.ZodType<PageQuery>,
	Shape extends z.core.$ZodLooseShape,
> {
	readonly url: string;
	readonly scope: Scope;
	readonly operationId: string;
	readonly tag: string;
	readonly summary: string;
	readonly description: string;
	readonly query: Query;
	readonly rows: Shape;
	/** Finds the rows of one page, and where the next one begins. */
	find(
		asked: { readonly organizationId: string; readonly page: PageRequest },
		filters: Omit<z.infer<Query>, keyof PageQuery>,
		caller: VerifiedKey,
	): Promise<
		z.infer<z.ZodObject<Shape>> & { readonly next: PageKey | undefined }
	>;
}

/** Adds the GET of a list, newest first, with a cursor from page to page that fits this list and its filters only. */
export function addList<
	Query extends z.ZodType<PageQuery>,
	Shape extends z.core.$ZodLooseShape,
>(
	app: App,
	{ cursorKeys }: Pick<Context, "cursorKeys">,
	options: ListOptions<Query, Shape>,
): void {
	const { url, operationId, summary, description } = options;
	// The types of a generic schema are not computed: they are those of the options.
	app.withTypeProvider<FastifyTypeProviderDefault>().route({
		method: "GET",
		url,
		config: { access: scopeAccess(options.scope) },
		schema: {
			operationId,
			tags: [options.tag],
			summary,
			description,
			querystring: options.query,
			response: { 200: pageBody(options.rows) },
		},
		handler: async (request) => {
			const caller = callerOf(request);
			const { organizationId } = caller;
			const { limit, cursor, ...filters } = request.query as z.infer<Query>;
			const scope = { resource: url, organizationId, filters };
			const page = create(PageRequestSchema, { limit });
			if (cursor !== undefined) {
				const position = decodeCursor(cursorKeys, scope, cursor);
				if (position === undefined)
					throw new RefusalError({ code: "invalid_cursor" });
				const { id, ...createdAt } = position;
				page.after = create(PageKeySchema, { createdAt, id });
			}
			const asked = { organizationId, page };
			const { next, ...rows } = await options.find(asked, filters, caller);
			const nextCursor = next?.createdAt
				? encodeCursor(cursorKeys, scope, { ...next.createdAt, id: next.id })
				: null;
			return { success: true, ...rows, nextCursor };
		},
	});
}
