import type { Admin } from "kafkajs";
import { expect, test } from "vitest";
import { silentLog } from "../../testing/log.ts";
import { createTopicKeeper } from "./topics.ts";

/** An admin client whose first list fails as told. */
function adminFailing(retriable: boolean) {
	const created: string[] = [];
	let lists = 0;
	const admin = {
		connect: async () => {},
		listTopics: async () => {
			if (++lists > 1) return [];
			throw Object.assign(new Error("Closed connection"), { retriable });
		},
		createTopics: async ({ topics }: { topics: { topic: string }[] }) => {
			created.push(...topics.map(({ topic }) => topic));
			return true;
		},
		fetchTopicMetadata: async () => ({ topics: [] }),
	};
	return { admin: admin as unknown as Admin, created };
}

const SETTINGS = { partitions: 1, replicationFactor: 1, log: silentLog };

test("a connection that a starting broker closes is tried again", async () => {
	const { admin, created } = adminFailing(true);
	await createTopicKeeper(admin, SETTINGS).ensure(["a.v1"]);
	expect(created).toEqual(["a.v1"]);
});

test("an error that does not pass is told at once", async () => {
	const { admin, created } = adminFailing(false);
	const topics = createTopicKeeper(admin, SETTINGS);
	await expect(topics.ensure(["a.v1"])).rejects.toThrow("Closed connection");
	expect(created).toEqual([]);
});
