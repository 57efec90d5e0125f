import { setTimeout as delay } from "node:timers/promises";
import type { Admin } from "kafkajs";

const RETRY_TIMEOUT_MS = 15_000;
const RETRY_PAUSE_MS = 50;

export function createTopicKeeper(
	admin: Admin,
	settings: KafkaTopicSettings,
): (topics: readonly string[]) => Promise<void> {
	const known = new Set<string>();
	return async (topics) => {
		const unknown = topics.filter((topic) => !known.has(topic));
		if (unknown.length === 0) return;
		await untilReady(() => makeReady(admin, unknown, settings));
		for (const topic of unknown) known.add(topic);
	};
}

/** A starting broker may close a connection again, or not have heard of a new topic or its leader yet. */
async function untilReady(isReady: () => Promise<boolean>): Promise<void> {
	const deadline = Date.now() + RETRY_TIMEOUT_MS;
	for (;;) {
		const late = Date.now() > deadline;
		try {
			if ((await isReady()) || late) return;
		} catch (error) {
			const { retriable } = error as { readonly retriable?: boolean };
			if (late || retriable !== true) throw error;
		}
		await delay(RETRY_PAUSE_MS);
	}
}

const CREATE_TIMEOUT_MS = 15_000;
const NO_LEADER = -1;

interface KafkaTopicSettings {
	readonly partitions: number;
	readonly replicationFactor: number;
}

async function makeReady(
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
