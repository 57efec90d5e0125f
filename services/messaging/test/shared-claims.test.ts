import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createClaims } from "../src/dispatching/shared-statements.ts";
import {
	messageTo,
	organizationWith,
	sendOne,
	startTestMessaging,
	type TestMessaging,
} from "./support/messaging.ts";

const OTHER_ROUTE = "other";

let messaging: TestMessaging;
let organization: string;
let ids: string[];

beforeEach(async () => {
	messaging = await startTestMessaging();
	organization = await organizationWith(messaging, 100);
	ids = [];
	for (let nth = 0; nth < 6; nth++)
		ids.push(await sendOne(messaging, messageTo(organization)));
});

afterEach(() => messaging.close());

/** A claim of the route for the organization's messages, of at most so many segments. */
function claimOf(route: string, limit: number) {
	return {
		token: messaging.ctx.lease.token(),
		route,
		limit,
		organizations: [{ lane: 1, organizationId: organization, share: 10 }],
	} as const;
}

test("routes that claim at the same time get their own messages, each up to its own limit", async () => {
	const { sql, operator } = messaging;
	await sql`
		update dispatch
		set route = ${OTHER_ROUTE}
		where message_id = any(${ids.slice(0, 3)})
	`;
	const claims = createClaims(sql);
	const [own, other, none] = await Promise.all([
		claims.add(claimOf(operator.code, 2)),
		claims.add(claimOf(OTHER_ROUTE, 10)),
		claims.add(claimOf("third", 10)),
	]);
	expect(own.map(({ messageId }) => messageId)).toEqual(ids.slice(3, 5));
	expect(other.map(({ messageId }) => messageId)).toEqual(ids.slice(0, 3));
	expect(none).toEqual([]);
});

test("a route that claims twice at the same time gets each message once", async () => {
	const claims = createClaims(messaging.sql);
	const both = await Promise.all(
		[4, 10].map((limit) => claims.add(claimOf(messaging.operator.code, limit))),
	);
	const claimed = both.flat().map(({ messageId }) => messageId);
	expect(claimed.toSorted()).toEqual(ids.toSorted());
});

test("a route that is alone claims again without a wait", async () => {
	const claims = createClaims(messaging.sql);
	const claim = claimOf(messaging.operator.code, 1);
	await claims.add(claim);
	// Until no claim is in flight.
	await setImmediate();
	vi.useFakeTimers({ toFake: ["setTimeout"] });
	const again = claims.add(claim);
	const waits = vi.getTimerCount();
	vi.useRealTimers();
	expect(waits).toBe(0);
	expect(await again).toHaveLength(1);
});
