export interface ReceiptText {
	readonly id?: string;
	readonly stat?: string;
	readonly err?: string;
}

const NAMES = "id|sub|dlvrd|submit ?date|done ?date|stat|err|text";

const FIELD = new RegExp(
	`(?<![\\w-])(${NAMES})[ ]*:[ ]*(?!(?:${NAMES})[ ]*:)([^\\s,;]*)`,
	"gi",
);

const MESSAGE_TEXT = /(?<![\w-])text[ ]*:/i;

const MAX_LENGTH = 1_000;

/** Operators end the text, or pad single fields, as C strings. */
const NUL = "\0";

/** Reads "id:... stat:... err:... text:..." (SMPP 3.4, appendix B), in any order, any of them missing. */
export function parseReceiptText(text: string): ReceiptText {
	const bounded = text.slice(0, MAX_LENGTH).replaceAll(NUL, " ");
	const head = fieldsOf(bounded.split(MESSAGE_TEXT, 1)[0] ?? "");
	// What follows "text:" was written by the sender of the message: it never overrules the fields in server.
	if (head.id !== undefined && head.stat !== undefined) return head;
	return { ...fieldsOf(bounded), ...head };
}

function fieldsOf(text: string): ReceiptText {
	const found = new Map<string, string>();
	for (const [, name = "", value = ""] of text.matchAll(FIELD)) {
		const key = name.toLowerCase().replace(" ", "");
		if (value !== "" && !found.has(key)) found.set(key, value);
	}
	return {
		...pick("id", found.get("id")),
		...pick("stat", found.get("stat")?.toUpperCase()),
		...pick("err", found.get("err")),
	};
}

function pick(name: keyof ReceiptText, value: string | undefined): ReceiptText {
	return value === undefined ? {} : { [name]: value };
}
