import type { Queryable } from "@airtower/platform/database/database";
import { findOutboxEntries } from "@airtower/platform/events/outbox";
import { AccountChangeSchema } from "@airtower/proto/accounts/v1/events";
import { fromBinary } from "@bufbuild/protobuf";

/** The changes of an organization that wait to be published, as consumers will read them. */
export async function changesOf(sql: Queryable, organizationId: string) {
	const entries = await findOutboxEntries(sql, 10_000);
	return entries
		.filter(({ event }) => event.organizationId === organizationId)
		.map(({ event }) => {
			const { change } = fromBinary(AccountChangeSchema, event.payload);
			return {
				topic: event.topic,
				type: event.type,
				key: event.key,
				value: stripType(change.value),
			};
		});
}

function stripType(message: object | undefined): object {
	return Object.fromEntries(
		Object.entries(message ?? {}).filter(([name]) => !name.startsWith("$")),
	);
}
