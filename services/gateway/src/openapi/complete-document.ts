import type { Access } from "../domain/access.ts";
import { detailTable, type ErrorCode, entryOf, errorTable } from "../errors.ts";
import type { OpenApiDocument, Operation, Ref, Response } from "./document.ts";
import { eventOperations } from "./event-operations.ts";
import { examples } from "./examples.ts";
import { headers, parameters } from "./headers.ts";

/** What a route says of itself beside its schemas. */
export interface OperationFacts {
	readonly access: Access;
	readonly errors: readonly ErrorCode[];
}

/** Refused by the HTTP server itself, whatever the operation. */
const SERVER_ERRORS: readonly ErrorCode[] = ["headers_too_large"];

const KEY_ERRORS: readonly ErrorCode[] = [
	"validation_failed",
	"missing_api_key",
	"invalid_api_key",
	"insufficient_scope",
	"organization_suspended",
	"rate_limited",
	"internal_error",
	"service_unavailable",
];

const BODY_ERRORS: readonly ErrorCode[] = [
	"malformed_json",
	"empty_body",
	"invalid_idempotency_key",
	"idempotency_key_reused",
	"idempotency_key_in_use",
	"body_too_large",
	"unsupported_media_type",
];

const EXAMPLE_REQUEST_ID = "0199b0a4-5f1b-7000-8000-000000000000";
const JSON_TYPE = "application/json";

/** Adds to a generated document what schemas cannot say: access, headers, errors, examples, webhooks. */
export function completeDocument(
	document: OpenApiDocument,
	facts: ReadonlyMap<string, OperationFacts>,
): OpenApiDocument {
	for (const methods of Object.values(document.paths))
		for (const [method, operation] of Object.entries(methods)) {
			const known = facts.get(operation.operationId ?? "");
			if (known !== undefined) completeOperation(operation, method, known);
		}
	document.webhooks = eventOperations();
	Object.assign(document.components, { headers, parameters });
	document.info.description += `\n\n${errorTables()}`;
	return document;
}

function completeOperation(
	operation: Operation,
	method: string,
	{ access, errors }: OperationFacts,
): void {
	const isPost = method === "post";
	addAccess(operation, access);
	operation.parameters = [
		...(operation.parameters ?? []),
		...(isPost ? [parameterRef("IdempotencyKey")] : []),
		parameterRef("RequestId"),
	];
	addExamples(operation);
	for (const response of Object.values(operation.responses))
		completeReply(response, access, isPost);
	addErrors(operation, SERVER_ERRORS);
	if (access.kind === "public") return;
	const codes = [...KEY_ERRORS, ...(isPost ? BODY_ERRORS : []), ...errors];
	addErrors(
		operation,
		codes.filter(
			(code) =>
				code !== "organization_suspended" || access.whileSuspended !== true,
		),
	);
}

function addAccess(operation: Operation, access: Access): void {
	operation.security =
		access.kind === "public" ? [] : [{ bearer: [] }, { apiKey: [] }];
	if (access.kind === "public") return;
	operation["x-required-scope"] = access.scope;
	const scope = `Needs the scope \`${access.scope}\`.`;
	operation.description = [operation.description, scope]
		.filter((part) => part !== undefined)
		.join("\n\n");
}

function addExamples(operation: Operation): void {
	const example = examples[operation.operationId ?? ""];
	if (example === undefined) return;
	const body = operation.requestBody?.content[JSON_TYPE];
	if (body !== undefined) body.example = example.request;
	for (const response of Object.values(operation.responses)) {
		const reply = response.content?.[JSON_TYPE];
		if (reply !== undefined) reply.example = example.reply;
	}
}

function completeReply(
	response: Response,
	access: Access,
	isPost: boolean,
): void {
	response.description = "Success.";
	response.headers = {
		"x-request-id": headerRef("RequestId"),
		...(access.kind === "public" ? {} : rateHeaders()),
		...(isPost
			? { "idempotent-replayed": headerRef("IdempotentReplayed") }
			: {}),
	};
}

function addErrors(operation: Operation, codes: readonly ErrorCode[]): void {
	const byStatus = Map.groupBy(codes, (code) => entryOf(code).status);
	for (const [status, group] of byStatus)
		operation.responses[String(status)] = errorResponse(status, group);
}

/** Statuses of requests whose key is not known. */
const WITHOUT_KEY: ReadonlySet<number> = new Set([401, 431]);

function errorResponse(status: number, codes: readonly ErrorCode[]): Response {
	const mayRetry = codes.some(
		(code) => code === "rate_limited" || "retryAfterS" in errorTable[code],
	);
	return {
		description: codes.map((code) => `\`${code}\``).join(", "),
		headers: {
			"x-request-id": headerRef("RequestId"),
			...(WITHOUT_KEY.has(status) ? {} : rateHeaders()),
			...(mayRetry ? { "retry-after": headerRef("RetryAfter") } : {}),
		},
		content: {
			[JSON_TYPE]: {
				schema: { $ref: "#/components/schemas/Error" },
				examples: Object.fromEntries(
					codes.map((code) => [code, { value: errorExample(code) }]),
				),
			},
		},
	};
}

function errorExample(code: ErrorCode) {
	const details =
		code === "validation_failed"
			? [
					{
						field: "to",
						code: "invalid_phone_number",
						message: detailTable.invalid_phone_number,
					},
				]
			: [];
	return {
		success: false,
		error: { code, message: entryOf(code).message, details },
		requestId: EXAMPLE_REQUEST_ID,
	};
}

function rateHeaders(): Record<string, Ref> {
	return {
		"x-ratelimit-limit": headerRef("RateLimitLimit"),
		"x-ratelimit-remaining": headerRef("RateLimitRemaining"),
		"x-ratelimit-reset": headerRef("RateLimitReset"),
	};
}

function headerRef(name: keyof typeof headers): Ref {
	return { $ref: `#/components/headers/${name}` };
}

function parameterRef(name: keyof typeof parameters): Ref {
	return { $ref: `#/components/parameters/${name}` };
}

function errorTables(): string {
	const errors = Object.entries(errorTable).map(
		([code, { status, message }]) => `| \`${code}\` | ${status} | ${message} |`,
	);
	const details = Object.entries(detailTable).map(
		([code, message]) => `| \`${code}\` | ${message} |`,
	);
	return [
		"**Error codes**",
		"",
		"| code | status | meaning |",
		"|---|---|---|",
		...errors,
		"",
		"**Codes of `error.details`**, beside the code of the error itself, given again with the field that it is about",
		"",
		"| code | meaning |",
		"|---|---|",
		...details,
	].join("\n");
}
