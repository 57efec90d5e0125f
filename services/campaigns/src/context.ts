import type { Db } from "@airtower/platform/database/database";
import type { Clock } from "@airtower/platform/runtime/clock";
import type { Logger } from "@airtower/platform/runtime/log";
import type { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import type { Client } from "@connectrpc/connect";

export interface Context {
	readonly sql: Db;
	readonly log: Logger;
	readonly clock: Clock;
	readonly messaging: Pick<
		Client<typeof MessagingService>,
		"sendMessages" | "listSenderIds"
	>;
}
