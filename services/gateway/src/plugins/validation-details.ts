import type { Detail } from "../errors.ts";
import type { DetailCode } from "../schemas/error-body.ts";
import { blame, type Issue, quoted } from "./validation-texts.ts";

/** Bad fields, and characters of an unknown name: a response must not outgrow its request by far. */
export const MAX_DETAILS = 100;
const MAX_NAME = 64;

/** What a response says of one issue: one detail, or one for each unknown name. */
export function toDetails(
	issue: Issue,
	data: unknown,
	unknownCode: DetailCode,
): Detail[] {
	const field = issue.path.join(".");
	if (issue.code === "unrecognized_keys")
		return issue.keys
			.slice(0, MAX_DETAILS)
			.map((key) => unknownField(field, key, unknownCode));
	const value = findValue(data, issue.path);
	const isRepeated =
		unknownCode === "unknown_parameter" && Array.isArray(value);
	const [code, message] = isRepeated
		? ["invalid_type", "may be given only once"]
		: blame(issue, value);
	const subject = field === "" ? "The body" : quoted(field);
	return [{ field, code, message: `${subject} ${message}.` }];
}

function unknownField(parent: string, key: string, code: DetailCode): Detail {
	const name = key.slice(0, MAX_NAME).toWellFormed();
	return {
		field: parent === "" ? name : `${parent}.${name}`,
		code,
		message: `${quoted(name)} is not known here.`,
	};
}

function findValue(data: unknown, path: readonly PropertyKey[]): unknown {
	let value = data;
	for (const key of path) {
		if (typeof value !== "object" || value === null) return undefined;
		value = Reflect.get(value, key);
	}
	return value;
}
