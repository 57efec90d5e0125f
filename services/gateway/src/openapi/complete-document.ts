import { z } from "zod";
import type { Access } from "../domain/access.ts";
import { noBody } from "../schemas/common.ts";
import { detailTable } from "../schemas/error-body.ts";
import { type ErrorCode, errorTable } from "../schemas/errors.ts";
import { examples } from "../schemas/examples.ts";
import { JSON_TYPE, type OpenApiDocument, type Operation } from "./document.ts";
import { errorResponses } from "./error-responses.ts";
import { eventOperations } from "./event-operations.ts";
import { headerRefs, headers, rateHeaders } from "./headers.ts";
import { parameterRef, parameters } from "./parameters.ts";

const OPTIONAL = { required: false };

export interface OperationFacts {
	readonly access: Access;
	readonly errors: readonly ErrorCode[];
	readonly isRevalidated: boolean;
	readonly isCsvToo: boolean;
	/** True for a POST that takes no Idempotency-Key. */
	readonly isReadOnly: boolean;
	readonly body: unknown;
	readonly replies: Readonly<Record<string, unknown>>;
}

/** Adds to a generated document what schemas cannot say: access, headers, errors, examples, webhooks. */
export function completeDocument(
	document: OpenApiDocument,
	facts: ReadonlyMap<string, OperationFacts>,
): OpenApiDocument {
	for (const methods of Object.values(document.paths))
		for (const [method, operation] of Object.entries(methods)) {
			const known = facts.get(operation.operationId ?? "");
			if (known !== undefined)
				completeOperation(
					operation,
					known,
					method === "post" && !known.isReadOnly,
				);
		}
	document.webhooks = eventOperations();
	Object.assign(document.components, { headers, parameters });
	document.info.description += `\n\n${errorTables()}`;
	return document;
}

function completeOperation(
	operation: Operation,
	{ access, errors, body, replies, isRevalidated, isCsvToo }: OperationFacts,
	takesKey: boolean,
): void {
	const given = operation.parameters ?? [];
	const isList = JSON.stringify(given).includes('"name":"cursor"');
	addAccess(operation, access);
	operation.parameters = [
		...given,
		...(takesKey ? [parameterRef("IdempotencyKey")] : []),
		parameterRef("RequestId"),
	];
	const request = operation.requestBody?.content[JSON_TYPE];
	if (request !== undefined) request.example = exampleFrom(body);
	if (body === noBody) Object.assign(operation.requestBody ?? {}, OPTIONAL);
	completeReplies(operation, access, replies, takesKey);
	if (isRevalidated) addRevalidation(operation);
	if (isCsvToo) addCsv(operation);
	const own = isList ? [...errors, "invalid_cursor" as const] : errors;
	const kind = { takesKey, hasBody: body !== undefined };
	Object.assign(operation.responses, errorResponses(access, kind, own));
}

function addRevalidation(operation: Operation): void {
	operation.parameters?.push(parameterRef("IfNoneMatch"));
	const headers = headerRefs({ "x-request-id": "RequestId", etag: "ETag" });
	Object.assign(Object(operation.responses["200"]), { headers });
	const description = "The client has the current one.";
	operation.responses["304"] = { description, headers };
}

function addCsv(operation: Operation): void {
	const csv = { "text/csv": { schema: { type: "string" } } };
	Object.assign(Object(operation.responses["200"]).content, csv);
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

function completeReplies(
	{ responses }: Operation,
	access: Access,
	replies: OperationFacts["replies"],
	takesKey: boolean,
): void {
	for (const [status, response] of Object.entries(responses)) {
		response.description = "Success.";
		response.headers = headerRefs({
			"x-request-id": "RequestId",
			...(access.kind === "public" ? {} : rateHeaders),
			...(takesKey ? { "idempotent-replayed": "IdempotentReplayed" } : {}),
		});
		for (const media of Object.values(response.content ?? {}))
			media.example = exampleFrom(replies[status]);
	}
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

/** An example of a schema: its own, or one put together from those of its parts. */
function exampleFrom(schema: unknown): unknown {
	if (!(schema instanceof z.ZodType)) return undefined;
	const own = examples.get(schema);
	if (own !== undefined) return own.example;
	if (schema instanceof z.ZodLiteral) return schema.value;
	if (schema instanceof z.ZodArray) return [exampleFrom(schema.element)];
	if (!(schema instanceof z.ZodObject)) return undefined;
	const fields = Object.entries(schema.shape);
	return Object.fromEntries(
		fields.map(([name, field]) => [name, exampleFrom(field)]),
	);
}
