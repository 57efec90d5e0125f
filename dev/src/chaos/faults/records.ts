import { randomUUID } from "node:crypto";
import { MessageOutcomeSchema } from "@airtower/proto/common/v1/message_outcome";
import { topics } from "@airtower/proto/rules/topics";
import { create, toBinary } from "@bufbuild/protobuf";
import { openBroker } from "../target/broker.ts";
import { until } from "../target/watch.ts";
import type { Fault, Trial } from "../trial.ts";

const TOPIC = topics.messagingOutcome;
const READERS = {
	webhooks: "webhooks",
	campaigns: "campaigns.outcomes",
	accounts: "accounts.reports",
} as const;
const PARKED_MS = 60_000;
const HUGE_BYTES = 2 * 1_024 * 1_024;

/** 11 */
export const recordsRepeated: Fault = {
	number: 11,
	name: "records duplicated, reordered, replayed from 0",
	needsKafka: true,
	act: async (trial) => {
		const { target, random } = trial;
		const broker = await openBroker(target.system.kafkaBrokers ?? []);
		try {
			const all = await broker.readAll(TOPIC);
			// Another trial on the same system may have left the poison that no broker takes in a batch.
			const records = all.filter(
				({ value }) => (value?.length ?? 0) < HUGE_BYTES,
			);
			await broker.publish(TOPIC, random.shuffled([...records, ...records]));
			for (const [service, group] of Object.entries(READERS)) {
				await target.kill(service as keyof typeof READERS, "SIGTERM");
				await broker.rewind(group, TOPIC);
				await target.restart(service as keyof typeof READERS);
			}
			trial.note = `${records.length} records came four times`;
		} finally {
			await broker.close();
		}
		return undefined;
	},
};

/** 12 */
export const poisonRecords: Fault = {
	number: 12,
	name: "poison records: bad bytes, unknown version, 2 MB",
	needsKafka: true,
	act: async (trial) => {
		const { target, random } = trial;
		const broker = await openBroker(target.system.kafkaBrokers ?? []);
		try {
			await broker.allowRecordsOf(TOPIC, 2 * HUGE_BYTES);
			const poison = random.shuffled(poisonPayloads()).map((value) => {
				const id = randomUUID();
				return { id, key: id, value, headers: { "event-id": id } };
			});
			await broker.publish(TOPIC, poison);
			const ids = poison.map(({ id }) => id);
			await until(
				async () => (await countParked(trial, ids)) === ids.length,
				PARKED_MS,
				"not every poison record was parked",
			);
			trial.note = `${ids.length} parked by webhooks, the rest went on`;
		} finally {
			await broker.close();
		}
		return undefined;
	},
};

function poisonPayloads(): Buffer[] {
	const later = create(MessageOutcomeSchema, {
		messageId: randomUUID(),
		organizationId: randomUUID(),
		status: "a status of a later version",
	});
	return [
		Buffer.from("not a message at all \xff\xfe", "latin1"),
		Buffer.from(toBinary(MessageOutcomeSchema, later)),
		Buffer.alloc(HUGE_BYTES, 0xff),
	];
}

async function countParked(
	{ target: { sql } }: Trial,
	ids: readonly string[],
): Promise<number> {
	const [row] = await sql<{ count: number }[]>`
		select count(*)::int as count
		from webhooks.dead_letters
		where event_id = any (${ids as string[]})
	`;
	return row?.count ?? 0;
}
