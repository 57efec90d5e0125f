import { accessSync, constants } from "node:fs";
import type { StatusKind } from "../../domain/smpp-status.ts";
import type { ReferenceBits } from "../../domain/text/user-data.ts";

/** Type of number and numbering plan of an address (SMPP 3.4, 5.2.5 and 5.2.6). */
export interface AddressType {
	readonly ton: number;
	readonly npi: number;
}

/** A malformed value of an option; the message completes `The option "x" ...`. */
export class BadValue extends Error {
	override readonly name = "BadValue";
}

/** @throws what `problem` makes of a BadValue's message */
export function readValue<T>(
	value: string,
	parse: (value: string) => T,
	problem: (what: string) => Error,
): T {
	try {
		return parse(value);
	} catch (error) {
		if (error instanceof BadValue) throw problem(error.message);
		throw error;
	}
}

export function wholeNumber(min: number, max: number) {
	return (value: string): number => {
		const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
		if (number >= min && number <= max) return number;
		throw new BadValue(`must be a whole number from ${min} to ${max}`);
	};
}

export function oneOf<const T extends string>(...words: readonly T[]) {
	return (value: string): T => {
		const word = words.find((candidate) => candidate === value);
		if (word !== undefined) return word;
		throw new BadValue(`must be one of ${words.join(", ")}`);
	};
}

export function textUpTo(length: number, pattern = /^[\x21-\x7e]*$/) {
	return (value: string): string => {
		if (value.length <= length && pattern.test(value)) return value;
		throw new BadValue(
			`must have at most ${length} characters, matching ${pattern.source}`,
		);
	};
}

export function referenceBits(value: string): ReferenceBits {
	if (value === "8") return 8;
	if (value === "16") return 16;
	throw new BadValue("must be 8 or 16");
}

/** The path of a file that is there, or nothing. */
export function readableFile(path: string): string {
	try {
		if (path !== "") accessSync(path, constants.R_OK);
		return path;
	} catch {
		throw new BadValue("must be the path of a file that can be read");
	}
}

export function addressType(value: string): AddressType {
	const match = /^([0-6])\.(\d|1[0-8])$/.exec(value);
	if (match === null)
		throw new BadValue("must be ton.npi, for example 1.1 or 5.0");
	return { ton: Number(match[1]), npi: Number(match[2]) };
}

export function statusTable(kinds: readonly StatusKind[]) {
	return (value: string): ReadonlyMap<number, StatusKind> => {
		const table = new Map<number, StatusKind>();
		for (const entry of value === "" ? [] : value.split(",")) {
			const [, status, word] =
				/^0x([\da-fA-F]{1,8}):([a-z]+)$/.exec(entry) ?? [];
			const kind = kinds.find((candidate) => candidate === word);
			if (status === undefined || kind === undefined)
				throw new BadValue(
					`must be entries like 0x45:permanent, each one of ${kinds.join(", ")}`,
				);
			table.set(Number.parseInt(status, 16), kind);
		}
		return table;
	};
}
