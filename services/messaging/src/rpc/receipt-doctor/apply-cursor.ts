import { invalid } from "@airtower/platform/runtime/domain-error";
import { isUuid } from "@airtower/platform/runtime/ids";
import type { PartPlace } from "../../store/receipts/waiting-parts.ts";

/** Where the next step of an application begins. */
export type ApplyCursor =
	| { readonly at: "begin" }
	| { readonly at: "parts"; readonly after: PartPlace | undefined }
	| { readonly at: "receipts"; readonly after: number };

/** @throws DomainError invalid_cursor */
export function readCursor(text: string): ApplyCursor {
	if (text === "") return { at: "begin" };
	if (text === "parts") return { at: "parts", after: undefined };
	const [at, first = "", second = ""] = text.split(":");
	if (at === "receipts" && isCount(first)) return { at, after: Number(first) };
	if (at === "parts" && isUuid(first) && isCount(second))
		return { at, after: { messageId: first, number: Number(second) } };
	throw invalid(
		"invalid_cursor",
		"cursor",
		"The cursor must be one that ApplyDiagnosis returned.",
	);
}

export function writeCursor(cursor: ApplyCursor): string {
	if (cursor.at === "begin") return "";
	if (cursor.at === "receipts") return `receipts:${cursor.after}`;
	const { after } = cursor;
	return after ? `parts:${after.messageId}:${after.number}` : "parts";
}

function isCount(text: string): boolean {
	return /^\d{1,15}$/.test(text);
}
