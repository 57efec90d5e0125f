import type { Context } from "../../src/context.ts";
import { processCallbacks } from "../../src/jobs/process-callbacks.ts";
import { insertCallbacks } from "../../src/store/callbacks.ts";
import type { OwnNumber } from "./bare-context.ts";

/** Stores a callback of the number that says `value`. */
async function storeCallback(ctx: Context, own: OwnNumber, value: object) {
	const metadata = { phone_number_id: own.providerId };
	const changes = [{ field: "messages", value: { metadata, ...value } }];
	const body = JSON.stringify({ entry: [{ id: "account", changes }] });
	await insertCallbacks(ctx.sql, [Buffer.from(body)]);
}

const timestamp = () => String(Math.floor(Date.now() / 1_000));

/** Stores a status that echoes our id. */
export async function storeStatus(
	ctx: Context,
	own: OwnNumber,
	id: string,
	status: string,
): Promise<void> {
	const item = {
		id: `wamid.${id}`,
		status,
		timestamp: timestamp(),
		biz_opaque_callback_data: id,
	};
	await storeCallback(ctx, own, { statuses: [item] });
}

/** Applies a status that echoes our id. */
export async function hearStatus(
	...status: Parameters<typeof storeStatus>
): Promise<void> {
	await storeStatus(...status);
	await processCallbacks(status[0]);
}

/** Stores one callback with a message of each user. */
export async function receiveFrom(
	ctx: Context,
	own: OwnNumber,
	users: readonly string[],
): Promise<void> {
	const messages = users.map((from) => ({
		from,
		type: "text",
		id: `wamid.${from}`,
		timestamp: timestamp(),
	}));
	await storeCallback(ctx, own, { messages });
}
