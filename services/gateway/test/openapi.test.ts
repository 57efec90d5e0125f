import { readFile } from "node:fs/promises";
import { normalizePhoneNumber } from "@airtower/proto/rules/phone-number";
import { expect, test } from "vitest";
import type { OpenApiDocument, Operation } from "../src/openapi/document.ts";
import { openApiText } from "../src/openapi/standalone.ts";
import { errorTable } from "../src/schemas/errors.ts";

const frozen = await readFile(
	new URL("../openapi.json", import.meta.url),
	"utf8",
);
const document: OpenApiDocument = JSON.parse(frozen);

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
	Object.entries(methods).map(
		([method, operation]) => [`${method} ${path}`, operation] as const,
	),
);

test("the document is the frozen one; `node services/gateway/src/write-openapi.ts` renews it", async () => {
	expect(await openApiText()).toBe(frozen);
});

test("it is OpenAPI 3.1 with both ways to send a key", () => {
	expect(document.openapi).toBe("3.1.0");
	expect(document.components.securitySchemes).toMatchObject({
		bearer: { type: "http", scheme: "bearer" },
		apiKey: { type: "apiKey", in: "header", name: "x-api-key" },
	});
});

test("it holds the operations of this version", () => {
	expect(operations.map(([name]) => name).sort()).toEqual([
		"delete /api-keys/{apiKeyId}",
		"delete /contacts",
		"delete /opt-outs/{optOutId}",
		"delete /quiet-hours",
		"delete /sms/messages/{messageId}",
		"delete /webhooks/{webhookEndpointId}",
		"get /",
		"get /account",
		"get /account/audit",
		"get /api-keys",
		"get /campaigns",
		"get /campaigns/{campaignId}",
		"get /campaigns/{campaignId}/recipients",
		"get /contacts",
		"get /health",
		"get /openapi.json",
		"get /opt-outs",
		"get /opt-outs/export",
		"get /quiet-hours",
		"get /reports/delivery",
		"get /reports/usage",
		"get /requests",
		"get /sender-ids",
		"get /sms/inbound",
		"get /sms/messages",
		"get /sms/messages/{messageId}",
		"get /usage",
		"get /webhooks",
		"get /webhooks/{webhookEndpointId}/deliveries",
		"get /whatsapp/conversations",
		"get /whatsapp/messages",
		"get /whatsapp/templates",
		"patch /webhooks/{webhookEndpointId}",
		"post /api-keys",
		"post /campaigns",
		"post /campaigns/preview",
		"post /campaigns/{campaignId}/cancel",
		"post /campaigns/{campaignId}/pause",
		"post /campaigns/{campaignId}/resume",
		"post /contacts",
		"post /opt-outs",
		"post /opt-outs/import",
		"post /sender-ids",
		"post /sms/preview",
		"post /sms/send",
		"post /webhooks",
		"post /webhooks/deliveries/{webhookDeliveryId}/redeliver",
		"post /webhooks/{webhookEndpointId}/rotate-secret",
		"post /whatsapp/messages",
		"put /quiet-hours",
	]);
});

test.each(operations)(
	"%s says what it does, needs and returns",
	(name, operation: Operation) => {
		expect(operation.operationId).toMatch(/^[a-z][A-Za-z]+$/);
		expect(operation.summary).toBeTruthy();
		expect(operation.tags?.length).toBe(1);
		const parameters = JSON.stringify(operation.parameters);
		expect(parameters).toContain("parameters/RequestId");
		expect(parameters.includes("parameters/IdempotencyKey")).toBe(
			name.startsWith("post") && !name.endsWith("/preview"),
		);
		for (const [status, response] of Object.entries(operation.responses)) {
			expect(response.headers).toHaveProperty("x-request-id");
			if (status === "304") continue;
			const { content = {} } = response;
			const media = content["application/json"] ?? content["text/csv"];
			expect(media?.schema).toBeDefined();
			if (Number(status) >= 400) expect(media?.examples).toBeDefined();
			else expect(media?.example).toBeDefined();
		}
		const { requestBody } = operation;
		const { example } = requestBody?.content["application/json"] ?? {};
		expect(example !== undefined).toBe(requestBody !== undefined);
	},
);

test("an operation with a key returns what the contract lists for it", () => {
	for (const [name, operation] of operations) {
		if (operation["x-required-scope"] === undefined) continue;
		const statuses = Object.keys(operation.responses);
		expect(statuses).toEqual(
			expect.arrayContaining(["401", "403", "429", "500", "503"]),
		);
		if (name.startsWith("post") && !name.endsWith("/preview"))
			expect(statuses).toEqual(expect.arrayContaining(["400", "409"]));
		if (operation.requestBody !== undefined)
			expect(statuses).toEqual(expect.arrayContaining(["400", "413", "415"]));
	}
});

test("every error code is listed with its status", () => {
	for (const [code, { status }] of Object.entries(errorTable))
		expect(document.info.description).toContain(`| \`${code}\` | ${status} |`);
});

test("the webhooks section describes every event and the headers to verify", () => {
	expect(Object.keys(document.webhooks ?? {})).toEqual([
		"message.delivered",
		"message.failed",
		"message.canceled",
		"message.received",
		"recipient.opted_out",
		"report.daily",
		"webhook.disabled",
	]);
	const names = JSON.stringify(document.components.parameters);
	for (const header of [
		"x-service-timestamp",
		"x-service-signature",
		"webhook-id",
		"webhook-timestamp",
		"webhook-signature",
	])
		expect(names).toContain(header);
});

test("every variant of a oneOf, and every object among several of an anyOf, is a named component", () => {
	const variants = findUnions(document).flat();
	expect(variants.length).toBeGreaterThan(3);
	for (const variant of variants)
		expect(variant.$ref).toMatch(/^#\/components\/schemas\/\w+Request$/);
});

test("every operation, parameter and named schema has a description, and the document a contact", () => {
	expect(document.info).toHaveProperty("contact.name");
	for (const [name, { description, parameters }] of operations) {
		expect(description, name).toBeTruthy();
		for (const parameter of (parameters ?? []).map(Object))
			expect(
				parameter.$ref ?? parameter.description ?? parameter.schema.description,
				`${name} ${parameter.name}`,
			).toBeTruthy();
	}
	for (const [name, schema] of Object.entries(document.components.schemas))
		expect(Object(schema).description, name).toBeTruthy();
});

test("every list of a body has a most number of entries, so that checking it takes nobody's time", () => {
	// A logged request is no body.
	const { LoggedRequest: _, ...schemas } = document.components.schemas;
	const lists = Object.entries(schemas)
		.filter(([name]) => name.endsWith("Request"))
		.flatMap(([name, schema]) => listsOf(schema, name));
	expect(lists.map(({ path }) => path)).toContain(
		"CreateListCampaignRequest.recipients",
	);
	expect(lists.filter(({ maxItems }) => maxItems === undefined)).toEqual([]);
});

interface List {
	readonly path: string;
	readonly maxItems: unknown;
}

function listsOf(schema: unknown, path: string): List[] {
	if (typeof schema !== "object" || schema === null) return [];
	const { type, maxItems } = schema as Record<string, unknown>;
	const within = Object.entries(schema).flatMap(([key, value]) =>
		listsOf(value, key === "properties" ? path : `${path}.${key}`),
	);
	return type === "array" ? [{ path, maxItems }, ...within] : within;
}

test("a request id of any form may be sent; date filters are date-times", () => {
	const { RequestId } = Object(document.components.parameters);
	expect(RequestId.schema).toEqual({ type: "string" });
	const dates = operations
		.flatMap(([, operation]) => (operation.parameters ?? []).map(Object))
		.filter(({ name }) => /^date_(from|to)$/.test(name));
	expect(dates.length).toBeGreaterThan(0);
	for (const { schema } of dates) expect(schema.format).toBe("date-time");
});

test("every reference leads somewhere", () => {
	const references = [...frozen.matchAll(/"\$ref": "#\/([^"]+)"/g)];
	for (const [, path = ""] of references) {
		let at: unknown = document;
		for (const part of path.split("/")) at = Object(at)[part];
		expect(at, path).toBeDefined();
	}
});

test("the examples fit their schemas", async () => {
	const { assertFits } = await import("./call.ts");
	for (const [path, methods] of Object.entries(document.paths))
		for (const [method, operation] of Object.entries(methods)) {
			const base = `#/paths/${escaped(path)}/${method}`;
			const request = operation.requestBody?.content["application/json"];
			if (request?.example !== undefined)
				assertFits(
					`${base}/requestBody/content/application~1json/schema`,
					request.example,
				);
			for (const [status, { content }] of Object.entries(operation.responses)) {
				const media = content?.["application/json"];
				const pointer = `${base}/responses/${status}/content/application~1json/schema`;
				if (media?.example !== undefined) assertFits(pointer, media.example);
				for (const { value } of Object.values(media?.examples ?? {}))
					assertFits(pointer, value);
			}
		}
	for (const { post } of Object.values(document.webhooks ?? {})) {
		const media = post?.requestBody?.content["application/json"];
		const { $ref } = Object(media?.schema);
		expect($ref).toMatch(/^#\/components\/schemas\/\w+Event$/);
		assertFits($ref, media?.example);
	}
});

function escaped(path: string): string {
	return encodeURIComponent(path.replaceAll("/", "~1"));
}

/** The variants of each union in a document; an anyOf of one object and simple types is none. */
function findUnions(at: unknown): { readonly $ref?: string }[][] {
	if (typeof at !== "object" || at === null) return [];
	const { oneOf = [], anyOf = [] }: Record<string, unknown> = { ...at };
	const forms = [...Object(oneOf)];
	const objects = [...Object(anyOf)].filter(
		({ $ref, type }) => $ref !== undefined || type === "object",
	);
	const own = [forms, objects.length > 1 ? objects : []];
	return [...own, ...Object.values(at).flatMap(findUnions)];
}

/** The schema of a body's field by the name of the body. */
function fieldOf(body: string, field: string): Record<string, unknown> {
	return Object(document.components.schemas[body]).properties[field];
}

test.each([
	["CreateContactRequest", "phone"],
	["SendSmsRequest", "to"],
	["SendWhatsAppTextRequest", "to"],
	["SendWhatsAppTemplateRequest", "to"],
])(
	"the pattern of %s.%s takes every number that is accepted, and no word",
	(body, field) => {
		const pattern = new RegExp(String(fieldOf(body, field).pattern), "u");
		for (const number of [
			"+33612345678",
			"33612345678",
			"06 12 34 56 78",
			"06.12.34.56.78",
			"06-12-34-56-78",
			"(06) 12/34 56 78",
			" +33 6 12\u00a034 56 78\n",
		]) {
			expect(normalizePhoneNumber(number, "FR"), number).toBe("+33612345678");
			expect(number).toMatch(pattern);
		}
		for (const word of ["", " ", "abc", "0612345678x", "+33\u0000"])
			expect(word).not.toMatch(pattern);
	},
);

test("what else is refused, the schemas say: ids of contacts, blank tags, addresses that are not of the web", () => {
	const { parameters } = Object(Object(document.paths["/contacts"]).delete);
	expect(parameters).toContainEqual(
		expect.objectContaining({
			name: "id",
			schema: { type: "integer", minimum: 1, maximum: 999_999_999_999_999 },
		}),
	);
	expect(fieldOf("CreateTagCampaignRequest", "audience_tags")).toMatchObject({
		contains: { pattern: "\\S" },
	});
	for (const body of ["CreateWebhookRequest", "UpdateWebhookRequest"]) {
		const pattern = new RegExp(String(fieldOf(body, "url").pattern), "u");
		expect("HTTPS://example.com/a").toMatch(pattern);
		expect("ftp://example.com/a").not.toMatch(pattern);
	}
});
