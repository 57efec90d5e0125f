import type { Admin } from "kafkajs";

export interface KafkaTopicSettings {
	/** Partitions of a topic that is new. */
	readonly partitions: number;
	/** Copies of a topic that is new; -1 leaves it to the broker's default. */
	readonly replicationFactor: number;
}

const CREATE_TIMEOUT_MS = 15_000;

/** Answers a function that creates what is missing, and asks the broker once per topic and process. */
export function createTopicKeeper(
	admin: Admin,
	settings: KafkaTopicSettings,
): (topics: readonly string[]) => Promise<void> {
	const known = new Set<string>();
	return async (topics) => {
		const unknown = topics.filter((topic) => !known.has(topic));
		if (unknown.length === 0) return;
		await admin.connect();
		const existing = new Set(await admin.listTopics());
		const missing = unknown.filter((topic) => !existing.has(topic));
		if (missing.length > 0) await createTopics(admin, missing, settings);
		for (const topic of unknown) known.add(topic);
	};
}

async function createTopics(
	admin: Admin,
	topics: readonly string[],
	settings: KafkaTopicSettings,
): Promise<void> {
	await admin.createTopics({
		timeout: CREATE_TIMEOUT_MS,
		waitForLeaders: true,
		topics: topics.map((topic) => ({
			topic,
			numPartitions: settings.partitions,
			replicationFactor: settings.replicationFactor,
		})),
	});
}
