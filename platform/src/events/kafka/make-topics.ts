import type { Admin } from "kafkajs";

const CREATE_TIMEOUT_MS = 15_000;
const NO_LEADER = -1;

export interface KafkaTopicSettings {
	readonly partitions: number;
	readonly replicationFactor: number;
}

export async function makeReady(
	admin: Admin,
	topics: readonly string[],
	{ partitions, replicationFactor }: KafkaTopicSettings,
): Promise<boolean> {
	await admin.connect();
	const existing = new Set(await admin.listTopics());
	const missing = topics.filter((topic) => !existing.has(topic));
	if (missing.length > 0)
		await admin.createTopics({
			timeout: CREATE_TIMEOUT_MS,
			waitForLeaders: false,
			topics: missing.map((topic) => ({
				topic,
				numPartitions: partitions,
				replicationFactor,
			})),
		});
	const found = await admin.fetchTopicMetadata({ topics: [...topics] });
	return found.topics.every((topic) =>
		topic.partitions.every(({ leader }) => leader !== NO_LEADER),
	);
}
