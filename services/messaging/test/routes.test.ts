import { uuidv7 } from "@airtower/platform/runtime/ids";
import { eventually } from "@airtower/platform/testing/eventually";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clientsOf, refusalOf } from "./support/clients.ts";
import {
	acceptedOf,
	messageTo,
	organizationWith,
} from "./support/messaging.ts";
import { ACCOUNT, acceptedAs } from "./support/scripted-operator.ts";
import { startTestService, type TestService } from "./support/service.ts";

let service: TestService;

beforeAll(async () => {
	service = await startTestService();
});

afterAll(() => service.close());

async function routes() {
	return (await service.admin.listRoutes({})).routes;
}

test("ListRoutes shows the unfinished work of each route, also of one that is not set up any more", async () => {
	expect(await routes()).toMatchObject([
		{ code: "scripted", account: ACCOUNT, takesNewMessages: true, queued: 0n },
	]);
	service.operator.bound = false;
	const organization = await organizationWith(service, 5);
	const { results } = await service.messaging.sendMessages({
		messages: [1, 2, 3].map(() => messageTo(organization)),
	});
	const { messageId } = acceptedOf(results[0]);
	await service.sql`update dispatch set route = 'gone' where message_id = ${messageId}`;

	const [own, gone, ...others] = await routes();
	expect(others).toEqual([]);
	expect(own).toMatchObject({ code: "scripted", queued: 2n, submitting: 0n });
	expect(gone).toMatchObject({
		code: "gone",
		account: "",
		takesNewMessages: false,
		queued: 1n,
	});
	const dueAt = own?.oldestDueAt && timestampDate(own.oldestDueAt).getTime();
	expect(Math.abs(Date.now() - (dueAt ?? 0))).toBeLessThan(60_000);

	const response = Promise.withResolvers<void>();
	service.operator.script = async ({ messageId }) => {
		await response.promise;
		return acceptedAs(messageId);
	};
	service.operator.bound = true;
	await service.messaging.sendMessages({ messages: [messageTo(organization)] });
	await eventually(async () => {
		expect((await routes())[0]).toMatchObject({ queued: 0n, submitting: 3n });
	});
	response.resolve();
	await eventually(async () => {
		expect((await routes())[0]).toMatchObject({ queued: 0n, submitting: 0n });
	});
});

test("ListRoutes shows how the processes that deliver stand with their operators, and tells of a change", async () => {
	const { operator, sql } = service;
	await eventually(async () => {
		expect((await routes())[0]).toMatchObject({
			connections: 1,
			connectionsWanted: 1,
			lastError: "",
		});
	});
	const until = new Date(Date.now() + 60_000);
	operator.bound = false;
	operator.lastError = "bind refused: 0x0E";
	operator.pausedUntil = until;
	operator.nextTryAt = until;
	await eventually(async () => {
		const [own] = await routes();
		expect(own).toMatchObject({
			connections: 0,
			connectionsWanted: 1,
			lastError: "bind refused: 0x0E",
		});
		expect(own?.pausedUntil && timestampDate(own.pausedUntil)).toEqual(until);
		expect(own?.nextTryAt && timestampDate(own.nextTryAt)).toEqual(until);
	});
	operator.bound = true;
	operator.lastError = undefined;
	operator.pausedUntil = undefined;
	operator.nextTryAt = undefined;
	const [other, gone] = [uuidv7(), uuidv7()];
	await sql`
		with leases as (
			insert into leases (token, lease_until)
			values (${other}, now() + interval '1 hour'), (${gone}, now() - interval '1 second')
		)
		insert into route_connections (token, route, connections, connections_wanted)
		values (${other}, 'scripted', 3, 4), (${gone}, 'scripted', 100, 100)
	`;
	await eventually(async () => {
		const [own] = await routes();
		expect(own).toMatchObject({ connections: 4, connectionsWanted: 5 });
		expect(own?.pausedUntil).toBeUndefined();
		expect(own?.nextTryAt).toBeUndefined();
	});
	await sql`delete from leases where token = ${other}`;
	expect((await routes())[0]).toMatchObject({ connections: 1 });
});

test("ListRoutes is only for a caller of every organization", async () => {
	const { port } = service.running;
	const one = clientsOf(port, { organization: uuidv7() });
	const plain = clientsOf(port, { issuer: "gateway" });
	expect(
		await Promise.all(
			[one.admin.listRoutes({}), plain.admin.listRoutes({})].map(refusalOf),
		),
	).toEqual(["organization_mismatch", "PermissionDenied"]);
});

test("ReconnectRoute lets the processes that deliver try their connections now", async () => {
	const { operator, admin } = service;
	await eventually(async () =>
		expect((await routes())[0]).toMatchObject({ connections: 1 }),
	);
	const before = operator.reconnects;
	expect(await admin.reconnectRoute({ code: "scripted" })).toMatchObject({
		processes: 1,
	});
	await eventually(() => expect(operator.reconnects).toBe(before + 1));
	const { port } = service.running;
	const one = clientsOf(port, { organization: uuidv7() });
	const plain = clientsOf(port, { issuer: "gateway" });
	expect(
		await Promise.all(
			[
				admin.reconnectRoute({ code: "nowhere" }),
				admin.reconnectRoute({ code: "" }),
				one.admin.reconnectRoute({ code: "scripted" }),
				plain.admin.reconnectRoute({ code: "scripted" }),
			].map(refusalOf),
		),
	).toEqual([
		"unknown_route",
		"validation_failed",
		"organization_mismatch",
		"PermissionDenied",
	]);
});
