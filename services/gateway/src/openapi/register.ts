import { readFile } from "node:fs/promises";
import swagger from "@fastify/swagger";
import {
	jsonSchemaTransform,
	jsonSchemaTransformObject,
} from "fastify-type-provider-zod";
import type { App } from "../routes/routes.ts";
import type { ErrorCode } from "../schemas/errors.ts";
import { completeDocument, type OperationFacts } from "./complete-document.ts";
import type { OpenApiDocument } from "./document.ts";
import { securitySchemes, tags, toInfo } from "./texts.ts";

declare module "fastify" {
	interface FastifyContextConfig {
		/** True when a client may ask whether what it has is still current. */
		isRevalidated?: boolean;
		/** True when a client may have the rows as CSV. */
		isCsvToo?: boolean;
		/** Errors of the operation itself, beyond those of every operation of its kind. */
		errors?: readonly ErrorCode[];
	}
	interface FastifyInstance {
		/** The OpenAPI 3.1 document of all routes; available once the application is ready. */
		openApi(): OpenApiDocument;
	}
}

const INTRODUCTION = new URL("introduction.md", import.meta.url);

/** Describes every route in one document, from the schemas that check its requests. */
export async function registerOpenApi(
	app: App,
	basePath: string,
): Promise<void> {
	const operations = collectOperations(app);
	const introduction = await readFile(INTRODUCTION, "utf8");
	await app.register(swagger, {
		openapi: {
			openapi: "3.1.0",
			info: toInfo(introduction.trimEnd()),
			tags: [...tags],
			servers: [{ url: basePath }],
			components: { securitySchemes },
		},
		stripBasePath: true,
		convertConstToEnum: false,
		transform: jsonSchemaTransform,
		transformObject: jsonSchemaTransformObject,
	});
	let document: OpenApiDocument | undefined;
	app.decorate("openApi", () => {
		document ??= completeDocument(generated(app), operations);
		return document;
	});
}

function collectOperations(app: App): ReadonlyMap<string, OperationFacts> {
	const operations = new Map<string, OperationFacts>();
	app.addHook("onRoute", ({ schema, config }) => {
		const { access, errors = [], isReadOnly = false } = config ?? {};
		const { isRevalidated = false, isCsvToo = false } = config ?? {};
		if (schema?.operationId === undefined || access === undefined) return;
		const { operationId, body } = schema;
		const replies = Object(schema.response);
		operations.set(operationId, {
			access,
			errors,
			body,
			replies,
			isRevalidated,
			isCsvToo,
			isReadOnly,
		});
	});
	return operations;
}

/** A copy that may be changed, typed as far as the gateway touches it. */
function generated(app: App): OpenApiDocument {
	const text = JSON.stringify(app.swagger()).replaceAll(INPUT_REF, "$1");
	const document: OpenApiDocument = JSON.parse(text);
	const { schemas } = document.components;
	for (const name of Object.keys(schemas))
		if (name.endsWith("Input")) delete schemas[name];
	return document;
}

/** The generator names each schema twice, for requests and for responses; none of ours differs by that. */
const INPUT_REF = /(#\/components\/schemas\/\w+?)Input(?=")/g;
