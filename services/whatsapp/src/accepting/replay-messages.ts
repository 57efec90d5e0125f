import type { Queryable } from "@airtower/platform/database";
import {
	findIdempotencyRecords,
	type IdempotencyRecord,
	idempotencyId,
} from "@airtower/platform/idempotency";
import {
	type WhatsAppAccepted,
	WhatsAppAcceptedSchema,
} from "@airtower/proto/whatsapp/v1/whatsapp";
import { fromBinary } from "@bufbuild/protobuf";
import type { Answers } from "./answers.ts";
import type { Candidate } from "./candidates.ts";

/** Answers the messages whose idempotency key is known; returns the others. */
export async function replayMessages<C extends Candidate>(
	sql: Queryable,
	candidates: readonly C[],
	answers: Answers,
): Promise<C[]> {
	const keys = candidates.flatMap(({ key }) =>
		key === undefined ? [] : [key],
	);
	if (keys.length === 0) return [...candidates];
	const records = await findIdempotencyRecords(sql, keys);
	return candidates.filter((candidate) => {
		const { key } = candidate;
		const record = key && records.get(idempotencyId(key));
		if (record === undefined) return true;
		replay(candidate, record, answers);
		return false;
	});
}

function replay(
	candidate: Candidate,
	record: IdempotencyRecord,
	answers: Answers,
): void {
	if (isSameRequest(candidate, record.fingerprint))
		answers.accept(candidate, replayed(readAccepted(record.response)));
	else answers.refuse(candidate, "idempotency_key_reused");
}

/** Answers a message like its twin in the same batch; false when the key is free for this one. */
export function answerLikeTwin(
	candidate: Candidate,
	twin: Candidate,
	answers: Answers,
): boolean {
	const answer = answers.of(twin);
	const same =
		twin.key !== undefined && isSameRequest(candidate, twin.key.fingerprint);
	if (answer?.case === "accepted") {
		if (same) answers.accept(candidate, replayed(answer.value));
		else answers.refuse(candidate, "idempotency_key_reused");
		return true;
	}
	if (!same || answer?.case !== "refused") return false;
	answers.refuseWith(candidate, answer.value);
	return true;
}

function isSameRequest(candidate: Candidate, fingerprint: Uint8Array): boolean {
	const own = candidate.key?.fingerprint;
	return own !== undefined && Buffer.compare(own, fingerprint) === 0;
}

function readAccepted(response: Uint8Array): WhatsAppAccepted {
	return fromBinary(WhatsAppAcceptedSchema, response);
}

function replayed(accepted: WhatsAppAccepted): WhatsAppAccepted {
	return { ...accepted, replayed: true };
}
