import { setTimeout as delay } from "node:timers/promises";
import type { Admin } from "kafkajs";
import type { Logger } from "../../runtime/log.ts";

const RETRY_TIMEOUT_MS = 15_000;
const RETRY_PAUSE_MS = 50;

export interface TopicKeeper {
	/** Makes those that are missing, unless they were there before and nothing has failed since. */
	ensure(topics: readonly string[]): Promise<void>;
	/** To be told of what fails: a broker may have lost its topics, with its disk or by an admin's hand. */
	failed(error: unknown): void;
}

export function createTopicKeeper(
	admin: Admin,
	settings: KafkaTopicSettings,
): TopicKeeper {
	const known = new Set<string>();
	const seen = new Set<string>();
	const missed = new Set<string>();
	return {
		ensure: async (topics) => {
			const unknown = topics.filter((topic) => !known.has(topic));
			if (unknown.length === 0) return;
			await untilReady(() => makeReady(admin, unknown, settings, missed));
			for (const topic of unknown) {
				if (missed.delete(topic) && seen.has(topic))
					settings.log.error({ topic }, MADE_ANEW);
				known.add(topic);
				seen.add(topic);
			}
		},
		failed: (error) => {
			if (isUnknownTopic(error)) known.clear();
		},
	};
}

const MADE_ANEW =
	"events may be lost: Kafka had lost this topic, which is made anew";

function isUnknownTopic(error: unknown): boolean {
	if (!(error instanceof Error)) return false;
	if ("type" in error && error.type === "UNKNOWN_TOPIC_OR_PARTITION")
		return true;
	return isUnknownTopic(error.cause);
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
	readonly log: Logger;
	readonly partitions: number;
	readonly replicationFactor: number;
}

async function makeReady(
	admin: Admin,
	topics: readonly string[],
	{ partitions, replicationFactor }: KafkaTopicSettings,
	missed: Set<string>,
): Promise<boolean> {
	await admin.connect();
	const existing = new Set(await admin.listTopics());
	const missing = topics.filter((topic) => !existing.has(topic));
	for (const topic of missing) missed.add(topic);
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
