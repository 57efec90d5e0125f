import {
	type PageKey,
	PageKeySchema,
	type PageRequest,
	PageRequestSchema,
} from "@airtower/proto/common/v1/page";
import type { Scope } from "@airtower/proto/rules/scopes";
import { create } from "@bufbuild/protobuf";
import type { FastifyTypeProviderDefault } from "fastify";
import type { z } from "zod";
import type { Context } from "../context.ts";
import { scopeAccess } from "../domain/access.ts";
import { decodeCursor, encodeCursor } from "../domain/cursor.ts";
import { routePath } from "../domain/route-path.ts";
import type { VerifiedKey } from "../domain/verified-key.ts";
import { RefusalError } from "../errors.ts";
import { callerOf } from "../plugins/auth.ts";
import type { ErrorCode } from "../schemas/errors.ts";
import { pageBody, type pageQuery } from "../schemas/pages.ts";
import type { App } from "./routes.ts";

type PageQuery = z.infer<typeof pageQuery>;

interface ListOptions<
	Query extends z.ZodType<PageQuery>,
	Shape extends z.core.$ZodLooseShape,
	Params extends z.ZodObject,
> {
	readonly url: string;
	readonly scope: Scope;
	readonly operationId: string;
	readonly tag: string;
	readonly summary: string;
	readonly description: string;
	readonly errors?: readonly ErrorCode[];
	readonly params?: Params;
	readonly query: Query;
	readonly rows: Shape;
	/** Finds the rows of one page, and where the next one begins. */
	find(
		asked: { readonly organizationId: string; readonly page: PageRequest },
		filters: Omit<z.infer<Query>, keyof PageQuery>,
		caller: VerifiedKey,
		params: z.infer<Params>,
	): Promise<
		z.infer<z.ZodObject<Shape>> & { readonly next: PageKey | undefined }
	>;
}

/** Adds the GET of a list, newest first, with a cursor from page to page that fits this list and its filters only. */
export function addList<
	Query extends z.ZodType<PageQuery>,
	Shape extends z.core.$ZodLooseShape,
	Params extends z.ZodObject,
>(
	app: App,
	{ cursorKeys }: Pick<Context, "cursorKeys">,
	options: ListOptions<Query, Shape, Params>,
): void {
	const { url, operationId, summary, description, params } = options;
	const { errors = [] } = options;
	// The types of a generic schema are not computed: they are those of the options.
	app.withTypeProvider<FastifyTypeProviderDefault>().route({
		method: "GET",
		url,
		config: { access: scopeAccess(options.scope), errors },
		schema: {
			operationId,
			tags: [options.tag],
			summary,
			description,
			...(params && { params }),
			querystring: options.query,
			response: { 200: pageBody(options.rows) },
		},
		handler: async (request) => {
			const caller = callerOf(request);
			const { organizationId } = caller;
			const { limit, cursor, ...filters } = request.query as z.infer<Query>;
			const params = request.params as z.infer<Params>;
			const resource = routePath(url, params);
			const scope = { resource, organizationId, filters };
			const page = create(PageRequestSchema, { limit });
			if (cursor !== undefined) {
				const position = decodeCursor(cursorKeys, scope, cursor);
				if (position === undefined)
					throw new RefusalError({ code: "invalid_cursor" });
				const { id, ...createdAt } = position;
				page.after = create(PageKeySchema, { createdAt, id });
			}
			const asked = { organizationId, page };
			const { find } = options;
			const { next, ...rows } = await find(asked, filters, caller, params);
			const nextCursor = next?.createdAt
				? encodeCursor(cursorKeys, scope, { ...next.createdAt, id: next.id })
				: null;
			return { success: true, ...rows, nextCursor };
		},
	});
}
