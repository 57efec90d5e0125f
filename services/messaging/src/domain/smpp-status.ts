import type { MessageFailureReason } from "./failure-reason.ts";

/** "throttled": the whole route waits. "session": this connection is of no use, the message is untouched. */
export const statusKinds = [
	"temporary",
	"throttled",
	"session",
	"unclear",
	"permanent",
] as const;
export type StatusKind = (typeof statusKinds)[number];

type StatusOverrides = ReadonlyMap<number, StatusKind>;

/** SMPP 3.4, 5.1.3; what is not named is permanent. */
const KINDS: ReadonlyMap<number, StatusKind> = new Map([
	[0x03, "session"],
	[0x04, "session"],
	[0x05, "session"],
	[0x08, "temporary"],
	[0x14, "temporary"],
	[0x58, "throttled"],
	[0x64, "temporary"],
	[0x102, "temporary"],
	[0x45, "unclear"],
	[0xfe, "unclear"],
	[0xff, "unclear"],
]);

/** Statuses reserved for vendors: nobody can know what they mean. */
const VENDOR = { first: 0x400, last: 0x4ff };

/** Bind failed, wrong password, system id or system type: trying often locks the account. */
const BIND_REFUSALS: ReadonlySet<number> = new Set([0x0d, 0x0e, 0x0f, 0x53]);

/** Already bound, bind failed: what operators say while an account has as many binds as it may. */
const TAKEN: ReadonlySet<number> = new Set([0x05, 0x0d]);

/** ESME_RPROHIBITED: the operator bars this traffic. */
const PROHIBITED = 0x101;

export function statusKind(
	status: number,
	overrides?: StatusOverrides,
): StatusKind {
	const known = overrides?.get(status) ?? KINDS.get(status);
	if (known !== undefined) return known;
	const vendor = status >= VENDOR.first && status <= VENDOR.last;
	return vendor ? "unclear" : "permanent";
}

export function failureReason(
	status: number,
	kind: StatusKind,
): MessageFailureReason {
	if (status === PROHIBITED) return "blocked";
	return kind === "permanent" ? "rejected" : "operator_error";
}

export function isBindRefusal(status: number): boolean {
	return BIND_REFUSALS.has(status);
}

/** Whether a bind may have been refused because another session of the account is not over yet. */
export function isBindTaken(status: number): boolean {
	return TAKEN.has(status);
}

export function statusText(status: number): string {
	return `0x${status.toString(16).toUpperCase().padStart(2, "0")}`;
}
