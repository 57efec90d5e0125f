export const JSON_TYPE = "application/json";

/** The parts of an OpenAPI 3.1 document that the gateway fills in or reads. */
export interface OpenApiDocument {
	openapi: string;
	info: { title: string; version: string; description: string };
	paths: Record<string, Record<string, Operation>>;
	webhooks?: Record<string, Record<string, Operation>>;
	components: {
		schemas: Record<string, unknown>;
		headers?: Record<string, unknown>;
		parameters?: Record<string, unknown>;
		securitySchemes?: Record<string, unknown>;
	};
}

export interface Operation {
	operationId?: string;
	summary?: string;
	description?: string;
	tags?: string[];
	security?: Record<string, string[]>[];
	parameters?: unknown[];
	requestBody?: { content: Record<string, MediaType>; required?: boolean };
	responses: Record<string, Response>;
	"x-required-scope"?: string;
}

export interface Response {
	description: string;
	headers?: Record<string, Ref>;
	content?: Record<string, MediaType>;
}

interface MediaType {
	schema: unknown;
	example?: unknown;
	examples?: Record<string, { summary?: string; value: unknown }>;
}

export interface Ref {
	$ref: string;
}
