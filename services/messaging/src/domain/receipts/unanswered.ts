import { TAIL_DIGITS } from "./number-tails.ts";

/** A message of which the operator's response to a submit is missing. */
export interface UnansweredMessage {
	readonly messageId: string;
	readonly recipient: string;
	readonly sender: string;
	readonly partCount: number;
	readonly takenParts: readonly number[];
	/** False while it is being sent again, and once it has been responded to or has ended otherwise. */
	readonly isUnknown: boolean;
}

export interface UnansweredPart {
	readonly messageId: string;
	readonly number: number;
	readonly partCount: number;
}

/** The only part that a receipt which names these addresses can be of; undefined when it may be of several. */
export function findOnlyPart(
	addresses: readonly string[],
	messages: readonly UnansweredMessage[],
): UnansweredPart | undefined {
	const [message, ...others] = messages.filter((one) =>
		isNamed(addresses, one),
	);
	if (message?.isUnknown !== true || others.length > 0) return undefined;
	const { messageId, partCount, takenParts } = message;
	const all = Array.from({ length: partCount }, (_, index) => index + 1);
	const [number, ...more] = all.filter((part) => !takenParts.includes(part));
	if (number === undefined || more.length > 0) return undefined;
	return { messageId, number, partCount };
}

/** True when one of the addresses is the recipient and the other, if there is one, the sender. */
function isNamed(
	addresses: readonly string[],
	{ recipient, sender }: UnansweredMessage,
): boolean {
	return addresses.some(
		(address, place) =>
			isSame(address, recipient) &&
			addresses.every((other, at) => at === place || isSame(other, sender)),
	);
}

/** Operators leave out or add prefixes of numbers. */
function isSame(address: string, other: string): boolean {
	const [one = "", two = ""] = plainAddresses([address, other]);
	if (one === two) return true;
	const isNumber = NUMBER.test(one) && NUMBER.test(two);
	return isNumber && one.slice(-TAIL_DIGITS) === two.slice(-TAIL_DIGITS);
}

const NUMBER = new RegExp(`^\\d{${TAIL_DIGITS},}$`);

/** Addresses of a receipt as they are compared; those that are missing or empty are left out. */
export function plainAddresses(
	addresses: readonly (string | undefined)[],
): string[] {
	return addresses.flatMap((address) => {
		const plain = address?.replaceAll("\0", "").trim().toLowerCase() ?? "";
		return plain.replace(/^\+/, "") || [];
	});
}
