import { afterEach, beforeEach, expect, test } from "vitest";
import { findUnsentAge } from "../src/store/dispatch/dispatch-counts.ts";
import {
	startWithOrganization,
	submittedMessage,
	type TestMessaging,
} from "./support/messaging.ts";
import { makeAllDue } from "./support/rows.ts";
import { refusedForNow, throttled } from "./support/scripted-operator.ts";

let messaging: TestMessaging;
let organization: string;

beforeEach(async () => {
	({ messaging, organization } = await startWithOrganization());
});

afterEach(() => messaging.close());

test("a message that the operator refused for now is not unsent until it is due again", async () => {
	const { sql, operator } = messaging;
	operator.script = () => refusedForNow;
	await submittedMessage(messaging, organization);
	expect(await findUnsentAge(sql, 10)).toBe(0);
	await makeAllDue(sql);
	expect(await findUnsentAge(sql, 10)).toBeGreaterThan(0);
});

test("a message that was refused is not unsent while it is tried again", async () => {
	const { sql, operator, dispatcher } = messaging;
	operator.script = () => refusedForNow;
	await submittedMessage(messaging, organization);
	await makeAllDue(sql);
	const response = Promise.withResolvers<typeof refusedForNow>();
	operator.script = () => response.promise;
	expect(await dispatcher.round()).toBe(1);
	expect(await findUnsentAge(sql, 10)).toBe(0);
	response.resolve(refusedForNow);
	await dispatcher.idle();
});

test("a message that waits because the operator wants less traffic is unsent", async () => {
	const { sql, operator } = messaging;
	operator.script = () => throttled;
	await submittedMessage(messaging, organization);
	expect(await findUnsentAge(sql, 10)).toBeGreaterThan(0);
});
