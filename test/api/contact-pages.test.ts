import { beforeAll, expect, test } from "vitest";
import { type ApiWorld, sharedApiWorld } from "./api-world.ts";
import { freshPhone } from "./bodies.ts";
import { type TypedClient, typedClient } from "./client.ts";

const ROWS = 60;
const TAG = "gold";

let world: ApiWorld;

beforeAll(async () => {
	world = await sharedApiWorld();
});

async function addContact(client: TypedClient, tags: string[]) {
	const { contact } = await client.post("/contacts", {
		name: "Ada",
		phone: freshPhone(),
		tags,
	});
	return contact.id;
}

async function addContacts(client: TypedClient, tags: string[]) {
	const ids: number[] = [];
	for (let count = 0; count < ROWS; count++)
		ids.push(await addContact(client, tags));
	return ids;
}

const remove = (client: TypedClient, id: number | undefined) =>
	client.delete("/contacts", { query: { id: id ?? 0 } });

/** The ids on all pages, read in small ones, in order. */
async function readAll(client: TypedClient, tag: string | undefined) {
	const seen: number[] = [];
	let cursor: string | undefined;
	do {
		const page = await client.get("/contacts", {
			limit: 3,
			...(cursor === undefined ? {} : { cursor }),
			...(tag === undefined ? {} : { tag }),
		});
		seen.push(...page.contacts.map(({ id }) => id));
		cursor = page.nextCursor ?? undefined;
	} while (cursor !== undefined);
	return seen;
}

/** Inserts and deletes, row after row, until told to stop. */
async function stir(
	client: TypedClient,
	doomed: number[],
	isOver: () => boolean,
): Promise<number> {
	let inserted = 0;
	while (!isOver()) {
		const id = await addContact(client, [TAG]);
		inserted++;
		await remove(client, doomed.pop() ?? id);
	}
	return inserted;
}

test.each([undefined, TAG])(
	"the pages of tag %s show every contact that stayed once, while others come and go",
	async (tag) => {
		const { apiKey } = await world.organization();
		const client = typedClient(world.baseUrl, apiKey);
		const all = await addContacts(client, [TAG]);
		const doomed = all.filter((_, index) => index % 3 === 0);
		const lasting = all.filter((_, index) => index % 3 !== 0);
		await addContacts(client, ["silver"]);
		let isOver = false;
		const stirring = stir(client, doomed, () => isOver);
		const lists = await Promise.all([
			readAll(client, tag),
			readAll(client, tag),
		]);
		isOver = true;
		expect(await stirring).toBeGreaterThan(0);
		for (const seen of lists) {
			expect(new Set(seen).size).toBe(seen.length);
			expect(seen.filter((id) => lasting.includes(id))).toEqual(
				lasting.toReversed(),
			);
		}
	},
);

test("the row that a cursor stands on may be deleted", async () => {
	const { apiKey } = await world.organization();
	const client = typedClient(world.baseUrl, apiKey);
	const ids = await addContacts(client, [TAG]);
	const first = await client.get("/contacts", { limit: 10 });
	for (const id of ids.slice(-15)) await remove(client, id);
	const cursor = first.nextCursor ?? "";
	const { contacts } = await client.get("/contacts", { limit: 200, cursor });
	expect(contacts.map(({ id }) => id)).toEqual(ids.slice(0, -15).toReversed());
});
