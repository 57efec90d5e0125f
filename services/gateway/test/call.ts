import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { expect } from "vitest";
import type { OpenApiDocument, Operation } from "../src/openapi/document.ts";

export interface CallOptions {
	readonly method?: string;
	readonly apiKey?: string;
	readonly headers?: Readonly<Record<string, string>>;
	/** Sent as JSON. */
	readonly body?: unknown;
	/** Sent as it is, in place of `body`. */
	readonly raw?: string | Uint8Array<ArrayBuffer>;
	readonly signal?: AbortSignal;
}

export interface ApiResponse {
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
	readonly body: ApiBody;
}

/** The fields of any response, as far as tests look at them. */
export interface ApiBody {
	readonly success?: boolean;
	readonly error?: {
		readonly code: string;
		readonly message: string;
		readonly details: readonly {
			field: string;
			code: string;
			message: string;
		}[];
	};
	readonly requestId?: string;
	readonly [field: string]: unknown;
}

const document: OpenApiDocument = JSON.parse(
	readFileSync(new URL("../openapi.json", import.meta.url), "utf8"),
);

/** Makes a request and checks the response against the OpenAPI document. */
export async function call(
	baseUrl: string,
	path: string,
	{ method = "GET", apiKey, headers = {}, body, raw, signal }: CallOptions = {},
): Promise<ApiResponse> {
	const text = raw ?? (body === undefined ? undefined : JSON.stringify(body));
	const fetched = await fetch(baseUrl + path, {
		method,
		redirect: "manual",
		...(signal === undefined ? {} : { signal }),
		headers: {
			...(text === undefined ? {} : { "content-type": "application/json" }),
			...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
			...headers,
		},
		...(text === undefined ? {} : { body: text }),
	});
	const responseText = await fetched.text();
	const isJson = fetched.headers.get("content-type")?.includes("json");
	const response = {
		status: fetched.status,
		headers: fetched.headers,
		text: responseText,
		body: isJson && responseText !== "" ? JSON.parse(responseText) : {},
	};
	checkResponse(method, path, response);
	return response;
}

/** Every response has a request id; one of a described operation fits its description. */
export function checkResponse(
	method: string,
	path: string,
	given: Pick<ApiResponse, "status" | "headers" | "body">,
): void {
	const { status, headers, body } = given;
	expect(headers.get("x-request-id")).toMatch(/^[A-Za-z0-9._:-]{1,128}$/);
	if (status >= 400 && method !== "HEAD") {
		expect(body.requestId).toBe(headers.get("x-request-id"));
		assertFits("#/components/schemas/Error", body);
	}
	const operation = operationOf(method, path.split("?", 1)[0] ?? "");
	if (operation === undefined) return;
	const response = operation.responses[String(status)];
	expect(response, `${method} ${path} may return ${status}`).toBeDefined();
	for (const name of Object.keys(response?.headers ?? {}))
		if (isDue(name, status))
			expect(headers.get(name), `${name} of ${status}`).not.toBeNull();
	const media = response?.content?.["application/json"];
	if (media === undefined) return;
	expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
	const pointer = pointerOf(method, path.split("?", 1)[0] ?? "", status);
	assertFits(pointer, body);
}

/** A 429 or 503 may come before the key is known; every other response that lists a rate header has it. */
function isDue(header: string, status: number): boolean {
	if (header.startsWith("x-ratelimit")) return status !== 429 && status !== 503;
	return header !== "idempotent-replayed" && header !== "retry-after";
}

const ajv = new Ajv2020({
	strict: false,
	allErrors: true,
	validateFormats: false,
});
ajv.addSchema({ $id: "airtower", ...document });
const validators = new Map<string, ValidateFunction>();

/** Throws when the body does not fit the schema at the pointer, `#/...`. */
export function assertFits(pointer: string, body: unknown): void {
	let validate = validators.get(pointer);
	if (validate === undefined) {
		validate = ajv.compile({ $ref: `airtower${pointer}` });
		validators.set(pointer, validate);
	}
	expect(validate(body), ajv.errorsText(validate.errors)).toBe(true);
}

function patternOf(path: string): string | undefined {
	return Object.keys(document.paths).find((pattern) =>
		new RegExp(`^${pattern.replace(/\{\w+\}/g, "[^/]+")}$`).test(path || "/"),
	);
}

function operationOf(method: string, path: string): Operation | undefined {
	const pattern = patternOf(path);
	if (pattern === undefined) return undefined;
	return document.paths[pattern]?.[method.toLowerCase()];
}

function pointerOf(method: string, path: string, status: number): string {
	const parts = [
		"paths",
		patternOf(path) ?? "",
		method.toLowerCase(),
		"responses",
		String(status),
		"content",
		"application/json",
		"schema",
	];
	return `#/${parts
		.map((part) => part.replaceAll("~", "~0").replaceAll("/", "~1"))
		.map(encodeURIComponent)
		.join("/")}`;
}

/** Rejects for a response that does not tell to come later. */
export async function refused(
	responding: Promise<Response>,
): Promise<Response> {
	const response = await responding;
	if (response.status === 429) return response;
	throw new Error(`responded with ${response.status}`);
}
