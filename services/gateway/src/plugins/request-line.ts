import { uuidv7 } from "@airtower/platform/runtime/ids";
import type { FastifyRequest } from "fastify";
import { maskFields, maskPath, maskText } from "../domain/masked-request.ts";
import { withoutBase } from "../domain/route-path.ts";
import type { VerifiedKey } from "../domain/verified-key.ts";
import { isRefused, type RequestLine } from "../request-log.ts";

/** Details of one refusal that are logged. */
const MAX_DETAILS = 20;

/** What is logged of one request, beside its route and duration. */
export function toRequestLine(
	request: FastifyRequest,
	{ organizationId, apiKeyId, prefix }: VerifiedKey,
	{ status, nowMs }: { readonly status: number; readonly nowMs: number },
): Omit<RequestLine, "route" | "durationMs"> {
	const { refusal, url, method } = request;
	const details = refusal?.details?.slice(0, MAX_DETAILS) ?? [];
	return {
		organizationId,
		createdAt: new Date(nowMs),
		id: uuidv7(nowMs),
		requestId: maskText(request.id),
		method,
		path: maskPath(withoutBase(url.split("?", 1)[0] ?? "")),
		status,
		apiKeyId,
		apiKeyPrefix: prefix,
		errorCode: refusal?.code ?? null,
		details:
			refusal === undefined
				? null
				: details.map(({ field, code }) => ({ field: maskText(field), code })),
		request: isRefused(status)
			? { query: maskFields(request.query), body: maskFields(request.body) }
			: null,
	};
}
