import {
	resumeGroup,
	suspendGroup,
} from "@airtower/platform/work/suspended-groups";
import { afterEach, beforeEach, expect, test } from "vitest";
import { suspendedOrganizations } from "../src/store/suspended-organizations.ts";
import {
	dispatchAll,
	messageTo,
	organizationWith,
	sendAll,
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
	await suspendGroup(sql, suspendedOrganizations, organization);
	await suspendGroup(sql, suspendedOrganizations, organization);
	await dispatchAll(messaging);
	expect(operator.submits).toEqual([]);
	expect(await statusOf(sql, id)).toBe("accepted");
	await resumeGroup(sql, suspendedOrganizations, organization);
	await dispatchAll(messaging);
	expect(operator.submits).toMatchObject([{ messageId: id }]);
});

const unclaimable = {
	"held organizations": (id: string) =>
		suspendGroup(messaging.sql, suspendedOrganizations, id),
	"organizations whose messages wait for receipts": (id: string) =>
		messaging.sql`update dispatch set unknown = true where organization_id = ${id}`,
};
test.each(Object.entries(unclaimable))(
	"%s take no part of a claim from others",
	async (_who, stop) => {
		const { dispatcher, operator } = messaging;
		operator.slots = 10;
		for (let nth = 0; nth < operator.window; nth++) {
			const stopped = await organizationWith(messaging, 1);
			await sendOne(messaging, messageTo(stopped));
			await stop(stopped);
		}
		const rounds = 3;
		const messages = rounds * operator.window;
		const message = messageTo(organization);
		await sendAll(messaging, Array(messages).fill(message));
		for (let round = 0; round < rounds; round++) {
			await dispatcher.round();
			await dispatcher.idle();
		}
		expect(operator.submits).toHaveLength(messages);
	},
);
