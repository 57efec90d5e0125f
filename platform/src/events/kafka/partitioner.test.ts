import { randomBytes, randomUUID } from "node:crypto";
import { Partitioners, type PartitionMetadata } from "kafkajs";
import { expect, it } from "vitest";
import { keyPartitioner } from "./partitioner.ts";

const topic = "messaging.message-outcome.v1";

function partitions(count: number): PartitionMetadata[] {
	return Array.from({ length: count }, (_, partitionId) => ({
		partitionId,
		partitionErrorCode: 0,
		leader: 1,
		replicas: [1],
		isr: [1],
	}));
}

it("picks the partition that every Kafka client picks", () => {
	const ours = keyPartitioner();
	const theirs = Partitioners.DefaultPartitioner();
	const keys = [
		...["", "a", "ab", "abc", "abcd", "abcde", "\u00e9\u{1f600}"],
		...Array.from({ length: 500 }, () => randomUUID()),
		...Array.from({ length: 64 }, (_, length) => randomBytes(length)),
	];
	for (const count of [1, 3, 6, 50])
		for (const key of keys) {
			const args = {
				topic,
				partitionMetadata: partitions(count),
				message: { key, value: "" },
			};
			expect(ours(args), `key ${String(key)}`).toBe(theirs(args));
		}
});
