import type { Tx } from "@airtower/platform/database/database";
import { appendToOutbox } from "@airtower/platform/events/outbox";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import {
	type AccountChange,
	AccountChangeSchema,
} from "@airtower/proto/accounts/v1/events";
import { topics } from "@airtower/proto/rules/topics";
import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";

type Change = NonNullable<
	MessageInitShape<typeof AccountChangeSchema>["change"]
>;

const EVENT_TYPES: Record<
	NonNullable<AccountChange["change"]["case"]>,
	string
> = {
	apiKeyRevoked: "api_key_revoked",
	organizationChanged: "organization_changed",
	quotaGranted: "quota_granted",
};

/** It is published once the caller's transaction has committed. */
export async function publishChange(
	sql: Tx,
	organizationId: string,
	change: Change & { case: keyof typeof EVENT_TYPES },
): Promise<void> {
	const message = create(AccountChangeSchema, { organizationId, change });
	await appendToOutbox(sql, [
		{
			id: uuidv7(),
			topic: topics.accountsChange,
			type: EVENT_TYPES[change.case],
			key: organizationId,
			organizationId,
			payload: toBinary(AccountChangeSchema, message),
		},
	]);
}
