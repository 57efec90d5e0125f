import { domainErrorFrom } from "@airtower/platform/rpc/client";
import type { FastifyError, FastifyRequest } from "fastify";
import { type Refusal, RefusalError, refusalFromDomain } from "../errors.ts";
import type { ErrorCode } from "../schemas/errors.ts";
import { ValidationError } from "./validation.ts";

const CODE_OF_FRAMEWORK_ERROR: Readonly<Record<string, ErrorCode>> = {
	FST_ERR_CTP_BODY_TOO_LARGE: "body_too_large",
	FST_ERR_CTP_EMPTY_JSON_BODY: "empty_body",
	FST_ERR_CTP_INVALID_JSON_BODY: "malformed_json",
	FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupported_media_type",
	FST_ERR_MAX_PARAM_LENGTH: "route_not_found",
};

export function refusalFrom(
	error: unknown,
	request: Pick<FastifyRequest, "body">,
): Refusal {
	if (error instanceof RefusalError) return error.refusal;
	if (error instanceof ValidationError) {
		const { details, validationContext } = error;
		return validationContext === "body" && request.body === undefined
			? { code: "empty_body" }
			: { code: "validation_failed", details };
	}
	const domainError = domainErrorFrom(error);
	if (domainError !== undefined) return refusalFromDomain(domainError);
	const { code, statusCode = 500 } = error as Partial<FastifyError>;
	const known = CODE_OF_FRAMEWORK_ERROR[code ?? ""];
	if (known !== undefined) return { code: known };
	if (error instanceof SyntaxError && statusCode === 400)
		return { code: "malformed_json" };
	const isClientError = statusCode >= 400 && statusCode < 500;
	return { code: isClientError ? "bad_request" : "internal_error" };
}
