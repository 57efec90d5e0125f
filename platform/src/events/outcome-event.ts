import {
	type MessageOutcome,
	MessageOutcomeSchema,
} from "@airtower/proto/common/v1/message_outcome";
import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { uuidv7 } from "../runtime/ids.ts";
import type { BusEvent } from "./event-bus.ts";

const EVENT_TYPE = "message_outcome";

type Outcome = MessageInitShape<typeof MessageOutcomeSchema> &
	Pick<MessageOutcome, "messageId" | "organizationId">;

/** The event of a message's end; `traceparent` is null for a message that is not traced. */
export function toOutcomeEvent(
	topic: string,
	outcome: Outcome,
	traceparent: string | null,
): BusEvent {
	const { messageId: key, organizationId } = outcome;
	const message = create(MessageOutcomeSchema, outcome);
	return {
		id: uuidv7(),
		topic,
		type: EVENT_TYPE,
		key,
		organizationId,
		payload: toBinary(MessageOutcomeSchema, message),
		...(traceparent !== null && { traceparent }),
	};
}
