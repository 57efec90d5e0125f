/** A part of a receipt's text: what stands there, a field, or anything. */
export type FormStep =
	| { readonly kind: "literal"; readonly text: string }
	| { readonly kind: "field"; readonly name: FormField }
	| { readonly kind: "any" };
export type FormField = "id" | "stat" | "err";

/** How an operator writes receipts whose text is not the standard's, in the order of the text. */
export type ReceiptForm = readonly FormStep[];

const MAX_LENGTH = 1_000;
/** Operators end the text, or pad single fields, as C strings. */
const NUL = "\0";
/** A field that no literal ends. */
const WORD = /^[ ]*([^\s,;]+)/;

/**
 * The same receipt in the standard's text; undefined for a text that is not of the form. Each literal is looked for
 * once, from where the one before ended: no text takes long. Blanks, commas and semicolons within a field become "_".
 */
export function toStandardText(
	text: string,
	form: ReceiptForm,
): string | undefined {
	const fields = readForm(text.slice(0, MAX_LENGTH).replaceAll(NUL, " "), form);
	if (fields === undefined) return undefined;
	return [...fields]
		.map(([name, value]) => `${name}:${value.replaceAll(/[\s,;]+/g, "_")}`)
		.join(" ");
}

function readForm(
	text: string,
	form: ReceiptForm,
): Map<FormField, string> | undefined {
	const fields = new Map<FormField, string>();
	let at = 0;
	for (const [index, step] of form.entries()) {
		const next = form[index + 1];
		if (step.kind === "literal") {
			const found = text.indexOf(step.text, at);
			if (found === -1) return undefined;
			at = found + step.text.length;
		} else if (step.kind === "field") {
			const rest = text.slice(at);
			const value =
				next?.kind === "literal"
					? rest.slice(0, Math.max(0, rest.indexOf(next.text))).trim()
					: WORD.exec(rest)?.[1];
			if (!value) return undefined;
			fields.set(step.name, value);
			if (next?.kind !== "literal") at += rest.indexOf(value) + value.length;
		}
	}
	return fields;
}
