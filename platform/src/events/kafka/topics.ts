import { setTimeout as delay } from "node:timers/promises";
import type { Admin, ITopicMetadata } from "kafkajs";

export interface KafkaTopicSettings {
	/** Partitions of a topic that is new. */
	readonly partitions: number;
	/** Copies of a topic that is new; -1 leaves it to the broker's default. */
	readonly replicationFactor: number;
}

const CREATE_TIMEOUT_MS = 15_000;
/** Longest wait until a new topic can be used, ms. */
const LEADER_TIMEOUT_MS = 15_000;
const LEADER_POLL_MS = 50;
const NO_LEADER = -1;
/** How long, and how often, an error that may pass is met with another try, ms. */
const RETRY_TIMEOUT_MS = 15_000;
const RETRY_PAUSE_MS = 200;

/** Answers a function that creates what is missing, and asks the broker once per topic and process. */
export function createTopicKeeper(
	admin: Admin,
	settings: KafkaTopicSettings,
): (topics: readonly string[]) => Promise<void> {
	const known = new Set<string>();
	return async (topics) => {
		const unknown = topics.filter((topic) => !known.has(topic));
		if (unknown.length === 0) return;
		await whileRetriable(() => createMissing(admin, unknown, settings));
		for (const topic of unknown) known.add(topic);
	};
}

/** A broker that has just started may close a connection again; the library reports that and gives up. */
async function whileRetriable(work: () => Promise<void>): Promise<void> {
	const deadline = Date.now() + RETRY_TIMEOUT_MS;
	for (;;) {
		try {
			return await work();
		} catch (error) {
			if (Date.now() > deadline || !isRetriable(error)) throw error;
		}
		await delay(RETRY_PAUSE_MS);
	}
}

async function createMissing(
	admin: Admin,
	topics: readonly string[],
	settings: KafkaTopicSettings,
): Promise<void> {
	await admin.connect();
	const existing = new Set(await admin.listTopics());
	const missing = topics.filter((topic) => !existing.has(topic));
	if (missing.length === 0) return;
	await createTopics(admin, missing, settings);
	await untilLed(admin, missing);
}

async function createTopics(
	admin: Admin,
	topics: readonly string[],
	settings: KafkaTopicSettings,
): Promise<void> {
	await admin.createTopics({
		timeout: CREATE_TIMEOUT_MS,
		waitForLeaders: false,
		topics: topics.map((topic) => ({
			topic,
			numPartitions: settings.partitions,
			replicationFactor: settings.replicationFactor,
		})),
	});
}

/** The library's own wait gives up when the broker that it asks has not heard of the new topic yet. */
async function untilLed(
	admin: Admin,
	topics: readonly string[],
): Promise<void> {
	const deadline = Date.now() + LEADER_TIMEOUT_MS;
	for (;;) {
		const late = Date.now() > deadline;
		try {
			const metadata = await admin.fetchTopicMetadata({ topics: [...topics] });
			if (late || metadata.topics.every(isLed)) return;
		} catch (error) {
			if (late || !isRetriable(error)) throw error;
		}
		await delay(LEADER_POLL_MS);
	}
}

function isLed({ partitions }: ITopicMetadata): boolean {
	return partitions.every(({ leader }) => leader !== NO_LEADER);
}

function isRetriable(error: unknown): boolean {
	return (error as { readonly retriable?: boolean }).retriable === true;
}
