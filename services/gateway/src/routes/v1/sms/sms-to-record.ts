import type { Message } from "@airtower/proto/messaging/v1/messaging";
import { smsMessage } from "../../../schemas/sms/sms-messages.ts";
import { toRecord } from "../../to-record.ts";

export function smsToRecord({ to, errorCode: code, ...message }: Message) {
	const error = code === "" ? null : { code };
	return toRecord(smsMessage, { ...message, recipient: to, error });
}
