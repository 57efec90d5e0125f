import type { Consumer, TopicPartitionOffset } from "kafkajs";
import type { PartitionPlace } from "./places.ts";

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
