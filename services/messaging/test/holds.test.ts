import {
	holdOrganization,
	releaseOrganization,
} from "@airtower/platform/work/held-organizations";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
	dispatchAll,
	messageTo,
	sendOne,
	startWithOrganization,
	type TestMessaging,
} from "./support/messaging.ts";
import { statusOf } from "./support/rows.ts";

let messaging: TestMessaging;
let organization: string;

beforeEach(async () => {
	({ messaging, organization } = await startWithOrganization());
});

afterEach(() => messaging.close());

test("a held organization's accepted messages wait, and go once it is let go", async () => {
	const { sql, operator } = messaging;
	const id = await sendOne(messaging, messageTo(organization));
	await holdOrganization(sql, organization);
	await holdOrganization(sql, organization);
	await dispatchAll(messaging);
	expect(operator.submits).toEqual([]);
	expect(await statusOf(sql, id)).toBe("accepted");
	await releaseOrganization(sql, organization);
	await dispatchAll(messaging);
	expect(operator.submits).toMatchObject([{ messageId: id }]);
});
