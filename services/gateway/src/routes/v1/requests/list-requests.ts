import { cutPage, uuidPageStart } from "@airtower/platform/database/page";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { z } from "zod";
import { maskPath, maskText } from "../../../domain/masked-request.ts";
import { withoutBase } from "../../../domain/route-path.ts";
import type { WaitingLine } from "../../../request-log.ts";
import { filterRange } from "../../../schemas/filters.ts";
import { loggedRequest, requestsQuery } from "../../../schemas/requests.ts";
import {
	findScanEnd,
	listRequests as listLines,
	type RequestFilters,
} from "../../../store/requests.ts";
import { addList } from "../../add-list.ts";
import type { Routes } from "../../routes.ts";

/** Lines that one page with filters looks at: tens of milliseconds of the database. */
const MAX_SCANNED = 20_000;

export const listRequests: Routes = (app, ctx) => {
	addList(app, ctx, {
		url: "/requests",
		scope: "requests:read",
		operationId: "listRequests",
		tag: "Requests",
		summary: "List requests",
		description: [
			"The requests of the last 7 days with a key of the organization, newest first, about a second after their",
			"responses: of those with a status of 400 and above the newest 100,000, and as many others. Of more than 250 of",
			"either kind within a second the rest is left out, and `omitted` counts them. Texts, secrets and whole phone",
			"numbers are not in the log. Go on as long as there is a `nextCursor`: with filters a page may be short, even",
			"empty.",
		].join(" "),
		query: requestsQuery,
		rows: { requests: loggedRequest.array() },
		find: async ({ organizationId, page }, filters) => {
			const { dateFrom, dateTo } = filterRange(filters);
			const range = {
				dateFrom: dateFrom && timestampDate(dateFrom),
				dateTo: dateTo && timestampDate(dateTo),
				after: uuidPageStart(page),
			};
			const wanted = toFilters(filters);
			const isFiltered = Object.values(wanted).some((one) => one !== undefined);
			const end = isFiltered
				? await findScanEnd(ctx.sql, organizationId, range, MAX_SCANNED)
				: undefined;
			const limit = page.limit + 1;
			const bounds = { end, limit };
			const found = await listLines(
				ctx.sql,
				organizationId,
				range,
				wanted,
				bounds,
			);
			const { rows, next } = cutPage(found, page.limit, end);
			return { requests: rows.map(toRecord), next };
		},
	});
};

type Filters = Omit<z.infer<typeof requestsQuery>, "limit" | "cursor">;

/** Paths and request ids are stored masked, and paths without the base, so that is how they are looked for. */
function toFilters(filters: Filters): RequestFilters {
	const { status, path, request_id: requestId } = filters;
	return {
		statuses: status === undefined ? undefined : toStatuses(status),
		method: filters.method,
		path: path === undefined ? undefined : maskPath(withoutBase(path)),
		errorCode: filters.error_code,
		apiKeyId: filters.api_key_id,
		requestId: requestId === undefined ? undefined : maskText(requestId),
	};
}

function toStatuses(status: string): [number, number] {
	const first = Number(status.replace("xx", "00"));
	return [first, status.endsWith("xx") ? first + 99 : first];
}

function toRecord(line: WaitingLine): z.infer<typeof loggedRequest> {
	return {
		id: line.id,
		request_id: line.requestId,
		method: line.method,
		route: line.route,
		path: line.path,
		status: line.status,
		duration_ms: line.durationMs,
		api_key: { id: line.apiKeyId, prefix: line.apiKeyPrefix },
		error:
			line.errorCode === null
				? null
				: { code: line.errorCode, details: [...(line.details ?? [])] },
		request: line.request,
		omitted: line.omitted,
		created_at: line.createdAt.toISOString(),
	};
}
