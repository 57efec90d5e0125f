import {
	serveRoutes,
	type TestRpcServer,
} from "@airtower/platform/testing/rpc-server";
import { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rpcRoutes } from "../src/rpc/index.ts";
import {
	messageTo,
	organizationWith,
	sendAll,
	startTestMessaging,
	type TestMessaging,
} from "./support/messaging.ts";

const MINUTE_MS = 60_000;

let messaging: TestMessaging;
let server: TestRpcServer;
let aheadMs = 0;

beforeAll(async () => {
	messaging = await startTestMessaging({
		clock: () => new Date(Date.now() + aheadMs),
	});
	server = await serveRoutes("messaging", rpcRoutes(messaging.ctx));
});

afterAll(async () => {
	await server.close();
	await messaging.close();
});

test("stored messages are listed page by page in the order of their ids, the young ones not yet", async () => {
	const client = server.client(MessagingService);
	const organizationId = await organizationWith(messaging, 5);
	const message = messageTo(organizationId);
	const ids = await sendAll(messaging, Array(5).fill(message));
	aheadMs = 9 * MINUTE_MS;
	expect((await client.listStoredMessages({ limit: 3 })).messages).toEqual([]);
	aheadMs = 11 * MINUTE_MS;
	const first = await client.listStoredMessages({ limit: 3 });
	const afterMessageId = first.messages.at(-1)?.messageId ?? "";
	const second = await client.listStoredMessages({ afterMessageId, limit: 3 });
	const listed = [...first.messages, ...second.messages];
	expect([first.messages.length, second.messages.length]).toEqual([3, 2]);
	expect(listed).toMatchObject(
		ids.map((messageId) => ({ messageId, organizationId })),
	);
});

test("only a caller of every organization lists stored messages", async () => {
	const organization = await organizationWith(messaging, 0);
	const own = server.client(MessagingService, { organization });
	await expect(own.listStoredMessages({ limit: 1 })).rejects.toMatchObject({
		code: Code.PermissionDenied,
	});
	const stranger = server.client(MessagingService, { isStranger: true });
	await expect(stranger.listStoredMessages({ limit: 1 })).rejects.toMatchObject(
		{ code: Code.Unauthenticated },
	);
	const all = server.client(MessagingService);
	await expect(all.listStoredMessages({ limit: 0 })).rejects.toMatchObject({
		code: Code.InvalidArgument,
	});
});
