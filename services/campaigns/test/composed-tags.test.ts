import { readFile } from "node:fs/promises";
import { runStatements } from "@airtower/platform/database/migration/outside-transaction";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { expect, test } from "vitest";
import { findContactsByTag } from "../src/store/contacts.ts";
import {
	addContacts,
	createCampaign,
	ownDatabase,
	phone,
	readCampaign,
} from "./test-campaigns.ts";

const sql = await ownDatabase();
const MIGRATION = new URL(
	"../migrations/0005_composed_tags.sql",
	import.meta.url,
);
const [COMPOSED, DECOMPOSED] = ["caf\u00e9", "cafe\u0301"];

test("tags that were stored in decomposed form are found like others, once", async () => {
	const organizationId = uuidv7();
	const tags = [["gold", DECOMPOSED], [DECOMPOSED, COMPOSED], [COMPOSED], []];
	await addContacts(sql, organizationId, tags.length, (nth) => tags[nth] ?? []);
	const audience = { tags: [DECOMPOSED, "gold"] };
	await createCampaign(sql, organizationId, audience);
	await runStatements(sql, await readFile(MIGRATION, "utf8"));
	const page = { limit: 10, after: undefined };
	const find = (tag: string) =>
		findContactsByTag(sql, organizationId, tag, page);
	expect(await find(DECOMPOSED)).toEqual([]);
	const found = await find(COMPOSED);
	const byPhone = new Map(found.map(({ phone, tags }) => [phone, tags]));
	expect(byPhone).toEqual(
		new Map([
			[phone(0), [COMPOSED, "gold"]],
			[phone(1), [COMPOSED]],
			[phone(2), [COMPOSED]],
		]),
	);
	expect(found).toHaveLength(byPhone.size);
	const { audienceTags } = await readCampaign(sql, organizationId);
	expect(audienceTags).toEqual([COMPOSED, "gold"]);
});
