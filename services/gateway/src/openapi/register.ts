import swagger from "@fastify/swagger";
import {
	jsonSchemaTransform,
	jsonSchemaTransformObject,
} from "fastify-type-provider-zod";
import type { App } from "../routes/routes.ts";
import type { ErrorCode } from "../schemas/errors.ts";
import { completeDocument, type OperationFacts } from "./complete-document.ts";
import type { OpenApiDocument } from "./document.ts";
import { info, securitySchemes, tags } from "./texts.ts";

declare module "fastify" {
	interface FastifyContextConfig {
		/** Errors of the operation itself, beyond those of every operation of its kind. */
		errors?: readonly ErrorCode[];
	}
	interface FastifyInstance {
		/** The OpenAPI 3.1 document of all routes; available once the application is ready. */
		openApi(): OpenApiDocument;
	}
}

/** Describes every route in one document, from the schemas that check its requests. */
export async function registerOpenApi(
	app: App,
	basePath: string,
): Promise<void> {
	const operations = new Map<string, OperationFacts>();
	app.addHook("onRoute", ({ schema, config }) => {
		const { access, errors = [] } = config ?? {};
		if (schema?.operationId === undefined || access === undefined) return;
		const { operationId, body } = schema;
		const replies = Object(schema.response);
		operations.set(operationId, { access, errors, body, replies });
	});
	await app.register(swagger, {
		openapi: {
			openapi: "3.1.0",
			info,
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

/** A copy that may be changed, typed as far as the gateway touches it. */
function generated(app: App): OpenApiDocument {
	const text = JSON.stringify(app.swagger());
	return withoutInputs(JSON.parse(text.replaceAll(INPUT_REF, "$1")));
}

/** The generator names each schema twice, for requests and for responses; none of ours differs by that. */
const INPUT_REF = /(#\/components\/schemas\/\w+?)Input(?=")/g;

function withoutInputs(document: OpenApiDocument): OpenApiDocument {
	const { components } = document;
	const kept = Object.entries(components.schemas).filter(
		([name]) => !name.endsWith("Input"),
	);
	return {
		...document,
		components: { ...components, schemas: Object.fromEntries(kept) },
	};
}
