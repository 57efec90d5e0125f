import { Code, ConnectError } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { DomainError, type ErrorKind } from "../runtime/domain-error.ts";
import { currentRequestId, withRequestId } from "../runtime/request-context.ts";
import {
	connectTo,
	failureOf,
	request,
	startServer,
} from "./testing/client.ts";
import type { WebhooksHandlers } from "./testing/server.ts";

async function clientOfHandlers(webhooks: WebhooksHandlers) {
	return connectTo((await startServer({ webhooks })).port);
}

const kinds: ErrorKind[] = [
	"invalid",
	"unauthenticated",
	"forbidden",
	"not_found",
	"conflict",
	"exhausted",
	"unavailable",
];
test.each(kinds)(
	"a domain error of kind %s arrives as it was thrown",
	async (kind) => {
		const client = await clientOfHandlers({
			listEndpoints: () => {
				throw new DomainError({
					kind,
					reason: "some_reason",
					message: "Nom, prénom: « été » – 100 %.",
					field: "page.limit",
				});
			},
		});
		const error = await failureOf(client.listEndpoints(request));
		expect(error).toBeInstanceOf(DomainError);
		expect(error).toMatchObject({
			kind,
			reason: "some_reason",
			message: "Nom, prénom: « été » – 100 %.",
			field: "page.limit",
		});
	},
);

test("a broken rule of the contract arrives as validation_failed with its field", async () => {
	const client = await clientOfHandlers({});
	const error = await failureOf(client.listEndpoints({}));
	expect(error).toMatchObject({
		kind: "invalid",
		reason: "validation_failed",
		field: "organization_id",
	});
});

test("an internal error is no domain error and tells nothing", async () => {
	const client = await clientOfHandlers({
		listEndpoints: () => {
			throw new Error("the password is hunter2");
		},
	});
	const error = await failureOf(client.listEndpoints(request));
	expect(error).toBeInstanceOf(ConnectError);
	expect(error).toMatchObject({
		code: Code.Internal,
		rawMessage: "internal error",
	});
});

test("a refused caller token is our own fault, not a domain error of the client", async () => {
	const { port } = await startServer();
	const error = await failureOf(
		connectTo(port, { audience: "accounts" }).listEndpoints(request),
	);
	expect(error).toMatchObject({ code: Code.Unauthenticated });
});

test("an error of a service behind a service passes through; its internal error does not", async () => {
	const thrown = [
		new Error("inside"),
		new DomainError({ kind: "conflict", reason: "taken", message: "Taken." }),
	];
	const back = await clientOfHandlers({
		listEndpoints: () => {
			throw thrown.pop();
		},
	});
	const client = await clientOfHandlers({
		listEndpoints: () => back.listEndpoints(request),
	});
	expect(await failureOf(client.listEndpoints(request))).toMatchObject({
		kind: "conflict",
		reason: "taken",
	});
	expect(await failureOf(client.listEndpoints(request))).toMatchObject({
		code: Code.Internal,
	});
});

test("the request id travels through every service", async () => {
	const seen: (string | undefined)[] = [];
	const back = await clientOfHandlers({
		listEndpoints: () => {
			seen.push(currentRequestId());
			return {};
		},
	});
	const client = await clientOfHandlers({
		listEndpoints: async () => {
			seen.push(currentRequestId());
			return back.listEndpoints(request);
		},
	});
	await withRequestId("req-7", () => client.listEndpoints(request));
	expect(seen).toEqual(["req-7", "req-7"]);
});
