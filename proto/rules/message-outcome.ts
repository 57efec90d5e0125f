import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import {
	type MessageOutcome,
	MessageOutcomeSchema,
} from "../gen/airtower/common/v1/message_outcome_pb.ts";

type Outcome = MessageInitShape<typeof MessageOutcomeSchema> &
	Pick<MessageOutcome, "messageId" | "organizationId">;

/** What the event of a message's end says, whichever service publishes it. */
export function messageOutcomeEvent(outcome: Outcome) {
	const { messageId: key, organizationId } = outcome;
	const message = create(MessageOutcomeSchema, outcome);
	const payload = toBinary(MessageOutcomeSchema, message);
	return { type: "message_outcome", key, organizationId, payload };
}
