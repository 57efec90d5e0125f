import type { Admin, Consumer, TopicPartitionOffset } from "kafkajs";

/** Where a group stands in one partition. */
export interface PartitionPlace {
	readonly topic: string;
	readonly partition: number;
	/** The group's committed offset; "-1" without one. */
	readonly offset: string;
	/** The offset that the next record of the partition will get. */
	readonly end: string;
	/** Records that wait for the group. */
	readonly lag: number;
}

export async function findPlaces(
	admin: Admin,
	groupId: string,
	topics: readonly string[],
): Promise<PartitionPlace[]> {
	const committed = await admin.fetchOffsets({ groupId, topics: [...topics] });
	const places = await Promise.all(
		committed.map(async ({ topic, partitions }) => {
			const ends = await admin.fetchTopicOffsets(topic);
			return partitions.flatMap(({ partition, offset }) => {
				const found = ends.find((end) => end.partition === partition);
				if (found === undefined) return [];
				const next = Number(offset) < 0 ? found.low : offset;
				const lag = Number(found.high) - Number(next);
				return [{ topic, partition, offset, end: found.high, lag }];
			});
		}),
	);
	return places.flat();
}

/** Makes the only member of a new group begin at the ends of its partitions, until it has committed a place. */
export function beginAtEnds(
	consumer: Consumer,
	places: readonly PartitionPlace[],
): void {
	let starts: readonly TopicPartitionOffset[] = places.map(
		({ topic, partition, end }) => ({ topic, partition, offset: end }),
	);
	consumer.on(consumer.events.GROUP_JOIN, () => {
		for (const start of starts) consumer.seek(start);
	});
	consumer.on(consumer.events.COMMIT_OFFSETS, ({ payload }) => {
		const committed = new Set(
			payload.topics.flatMap(({ topic, partitions }) =>
				partitions.map(({ partition }) => `${topic}/${partition}`),
			),
		);
		starts = starts.filter(
			({ topic, partition }) => !committed.has(`${topic}/${partition}`),
		);
	});
}
