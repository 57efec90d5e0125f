import type { Admin, Consumer, TopicPartitionOffset } from "kafkajs";

const NOT_COMMITTED = "-1";

/** The end of every partition that the group has no place in yet: where a "latest" group begins. */
export async function findStartPositions(
	admin: Admin,
	groupId: string,
	topics: readonly string[],
): Promise<TopicPartitionOffset[]> {
	const places = await admin.fetchOffsets({ groupId, topics: [...topics] });
	const starts = await Promise.all(
		places.map(async ({ topic, partitions }) => {
			const ends = await admin.fetchTopicOffsets(topic);
			return partitions
				.filter(({ offset }) => offset === NOT_COMMITTED)
				.map(({ partition }) => ({
					topic,
					partition,
					offset: ends.find((end) => end.partition === partition)?.high ?? "0",
				}));
		}),
	);
	return starts.flat();
}

/**
 * Makes the consumer begin at the positions whenever it gets one of these partitions.
 * Answers a function that commits them: from then on they outlive this process too.
 */
export function holdStartPositions(
	consumer: Consumer,
	starts: readonly TopicPartitionOffset[],
): () => Promise<void> {
	let pending = [...starts];
	let assigned: TopicPartitionOffset[] = [];
	consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
		assigned = pending.filter(({ topic, partition }) =>
			payload.memberAssignment[topic]?.includes(partition),
		);
		for (const start of assigned) consumer.seek(start);
	});
	consumer.on(consumer.events.COMMIT_OFFSETS, ({ payload }) => {
		pending = pending.filter(
			(start) =>
				!payload.topics.some(
					({ topic, partitions }) =>
						topic === start.topic &&
						partitions.some(({ partition }) => partition === start.partition),
				),
		);
	});
	return async () => {
		if (assigned.length === 0) return;
		// Should this fail, the positions are held until the first batch is committed.
		await consumer.commitOffsets(assigned).catch(() => {});
	};
}
