import type { Admin } from "kafkajs";

export interface PartitionOffset {
	readonly topic: string;
	readonly partition: number;
	/** The group's committed offset; "-1" without one. */
	readonly offset: string;
	readonly end: string;
	readonly lag: number;
}

/** @param begins where the group begins in partitions without a committed offset; at their first records when absent */
export async function findOffsets(
	admin: Admin,
	groupId: string,
	topics: readonly string[],
	begins: readonly PartitionOffset[] = [],
): Promise<PartitionOffset[]> {
	const committed = await admin.fetchOffsets({ groupId, topics: [...topics] });
	const offsets = await Promise.all(
		committed.map(async ({ topic, partitions }) => {
			const ends = await admin.fetchTopicOffsets(topic);
			return partitions.flatMap(({ partition, offset }) => {
				const found = ends.find((end) => end.partition === partition);
				if (found === undefined) return [];
				const begin = begins.find(
					(one) => one.topic === topic && one.partition === partition,
				);
				const next = Number(offset) < 0 ? (begin?.end ?? found.low) : offset;
				const lag = Number(found.high) - Number(next);
				return [{ topic, partition, offset, end: found.high, lag }];
			});
		}),
	);
	return offsets.flat();
}
