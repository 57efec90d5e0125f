import type { Consumer, TopicPartitionOffset } from "kafkajs";
import type { PartitionOffset } from "./offsets.ts";

/** Makes the only member of a new group begin at the ends of its partitions, until it has committed an offset. */
export function beginAtEnds(
	consumer: Consumer,
	offsets: readonly PartitionOffset[],
): void {
	let starts: readonly TopicPartitionOffset[] = offsets.map(
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
