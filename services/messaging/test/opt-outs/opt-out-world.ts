import { transaction } from "@airtower/platform/database/database";
import { MessagingEventSchema } from "@airtower/proto/common/v1/messaging_event";
import { topics } from "@airtower/proto/rules/topics";
import { fromBinary } from "@bufbuild/protobuf";
import { REPLY_TEXTS } from "../../src/domain/opt-outs/reply-texts.ts";
import { sendReplies } from "../../src/jobs/send-replies.ts";
import { receiveWords } from "../../src/opt-outs/receive-words.ts";
import { dispatchAll, type TestMessaging } from "../support/messaging.ts";

/** A number of the organization, as it is written in texts that come in to it. */
export const OWN_NUMBER = "+447700900123";

/** A text comes in, and its word is obeyed. */
export function receive(
	{ sql }: Pick<TestMessaging, "sql">,
	organizationId: string,
	sender: string,
	body: string,
	fields: Partial<Parameters<typeof receiveWords>[1][number]> = {},
): Promise<void> {
	const recipient = OWN_NUMBER;
	const text = { organizationId, sender, recipient, body, ...fields };
	return transaction(sql, (sql) =>
		receiveWords(sql, [
			{ encoding: "gsm7", keyword: null, isComplete: true, ...text },
		]),
	);
}

/** Responses that wait are accepted and sent. */
export async function sendAllReplies(test: TestMessaging): Promise<void> {
	while ((await sendReplies(test.ctx)) > 0);
	await dispatchAll(test);
}

/** What was submitted to a number, in order. */
export function textsTo({ operator }: TestMessaging, to: string): string[] {
	return operator.submits
		.filter((submit) => submit.to === to)
		.map(({ body }) => body);
}

export const CONFIRMATION = REPLY_TEXTS.stop;

/** The opt-outs of an organization that events tell of. */
export async function optedOutEvents(
	{ sql }: TestMessaging,
	organizationId: string,
) {
	const rows = await sql<{ payload: Buffer }[]>`
		select payload
		from outbox
		where topic = ${topics.messagingEvent}
		and organization_id = ${organizationId}
		order by position
	`;
	return rows.flatMap(({ payload }) => {
		const { kind } = fromBinary(MessagingEventSchema, payload);
		return kind.case === "optedOut" ? [kind.value] : [];
	});
}

export async function countReplies({ sql }: TestMessaging): Promise<number> {
	const [row] = await sql`select count(*)::int as n from opt_out_replies`;
	return row?.n;
}
