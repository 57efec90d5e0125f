import type { Context } from "../../src/context.ts";
import { processCallbacks } from "../../src/jobs/process-callbacks.ts";
import { insertCallbacks } from "../../src/store/callbacks.ts";
import type { OwnNumber } from "./bare-context.ts";

/** Stores a callback of the number that says `value`. */
async function storeCallback(
	ctx: Context,
	own: Pick<OwnNumber, "providerId">,
	value: object,
	field = "messages",
) {
	const metadata = { phone_number_id: own.providerId };
	const changes = [{ field, value: { metadata, ...value } }];
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
	fields: object = {},
): Promise<void> {
	const item = {
		id: `wamid.${id}`,
		status,
		timestamp: timestamp(),
		biz_opaque_callback_data: id,
		...fields,
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

/** Stores one callback of a user who stops marketing messages, or resumes them. */
export async function storePreference(
	ctx: Context,
	own: Pick<OwnNumber, "providerId">,
	preference: {
		readonly wa_id: string;
		readonly value: string;
		/** Unix seconds. */
		readonly timestamp: number;
	},
): Promise<void> {
	const one = { category: "marketing_messages", ...preference };
	await storeCallback(
		ctx,
		own,
		{ user_preferences: [one] },
		"user_preferences",
	);
}
