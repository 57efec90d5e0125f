import {
	type MessageFailureReason,
	operatorReasons,
} from "../../domain/failure-reason.ts";
import type {
	FormField,
	FormStep,
	ReceiptForm,
} from "../../domain/receipts/receipt-form.ts";
import {
	plainCode,
	type ReceiptMeaning,
} from "../../domain/receipts/receipt-meaning.ts";
import { BadValue } from "./route-values.ts";

/** Why messages fail, in an operator's own statuses and codes. */
interface OperatorReasons {
	/** By command_status of its responses. */
	readonly statuses: ReadonlyMap<number, MessageFailureReason>;
	/** By the error code of its receipts, as `plainCode` writes it. */
	readonly errors: ReadonlyMap<string, MessageFailureReason>;
}

/** Reads `0x0B:unknown_subscriber,012:blocked`: statuses of responses, and error codes of receipts. */
export function reasonTable(value: string): OperatorReasons {
	const statuses = new Map<number, MessageFailureReason>();
	const errors = new Map<string, MessageFailureReason>();
	for (const entry of entriesOf(value)) {
		const [, status, code, word] =
			/^(?:0x([\da-fA-F]{1,8})|([\w.-]{1,20})):([a-z_]+)$/.exec(entry) ?? [];
		const reason = operatorReasons.find((one) => one === word);
		if (reason === undefined)
			throw new BadValue(
				`must be entries like 0x0B:unknown_subscriber or 012:blocked, each one of ${operatorReasons.join(", ")}`,
			);
		if (status !== undefined) statuses.set(Number.parseInt(status, 16), reason);
		else errors.set(plainCode(code ?? ""), reason);
	}
	return { statuses, errors };
}

/** Reads `ACCEPTED:delivered,HELD:intermediate,BARRED:blocked`. */
export function stateTable(value: string): ReadonlyMap<string, ReceiptMeaning> {
	const table = new Map<string, ReceiptMeaning>();
	for (const entry of entriesOf(value)) {
		const [, stat = "", word] = /^([\w.-]{1,40}):([a-z_]+)$/.exec(entry) ?? [];
		const meaning = meaningOf(word);
		if (meaning === undefined)
			throw new BadValue(
				`must be entries like ACCEPTED:delivered, each one of delivered, intermediate, ${operatorReasons.join(", ")}`,
			);
		table.set(stat.toUpperCase(), meaning);
	}
	return table;
}

function meaningOf(word: string | undefined): ReceiptMeaning | undefined {
	if (word === "delivered" || word === "intermediate") return { state: word };
	const reason = operatorReasons.find((one) => one === word);
	return reason && { state: "failed", reason };
}

function entriesOf(value: string): string[] {
	return value === "" ? [] : value.split(",");
}

const MAX_FORM = 300;
const MARK = /(\{(?:id|stat|err)\}|\*)/;

/** Reads a form such as `Message {id} is {stat}*code {err}.`; undefined where there is none. */
export function receiptForm(value: string): ReceiptForm | undefined {
	if (value === "") return undefined;
	if (value.length > MAX_FORM || !/^[\x20-\x7e]*$/.test(value))
		throw new BadValue(
			`must have at most ${MAX_FORM} characters, all of ASCII`,
		);
	const form = value.split(MARK).filter(Boolean).map(toStep);
	for (const [index, { kind }] of form.entries()) {
		if (kind === "field" && form[index + 1]?.kind === "field")
			throw new BadValue("must have some text, or *, between two fields");
	}
	const names = form.flatMap((step) =>
		step.kind === "field" ? step.name : [],
	);
	const isWhole = names.includes("id") && names.includes("stat");
	if (!isWhole || new Set(names).size < names.length || /[{}]/.test(rest(form)))
		throw new BadValue(
			"must be a text with {id} and {stat}, and {err} where there is one, each once, and * for anything",
		);
	return form;
}

function toStep(text: string): FormStep {
	if (text === "*") return { kind: "any" };
	return MARK.test(text)
		? { kind: "field", name: text.slice(1, -1) as FormField }
		: { kind: "literal", text };
}

function rest(form: ReceiptForm): string {
	return form
		.map((step) => (step.kind === "literal" ? step.text : ""))
		.join("");
}
