import {
	normalizePhoneNumber,
	toPresentPlan,
} from "@airtower/proto/rules/phone-number";

/** A Brazilian mobile as WhatsApp names it when it registered before its ninth digit. */
const BRAZILIAN_MOBILE = /^55([0-9]{2})([6-9][0-9]{7})$/;
/** Callers may leave out the 9 by which WhatsApp names a mobile. */
const ARGENTINE = /^549?([1-8][0-9]{9})$/;
const WHATSAPP_ID = /^[0-9]{5,20}$/;

/** The E.164 number of a user, with "+", by the id that WhatsApp gives or by digits; null for what is no number. */
export function userNumber(whatsappId: string): string | null {
	if (!WHATSAPP_ID.test(whatsappId)) return null;
	const present = toPresentPlan(whatsappId).replace(
		BRAZILIAN_MOBILE,
		"55$19$2",
	);
	return normalizePhoneNumber(`+${present}`, "") ?? `+${whatsappId}`;
}

/** Current E.164 form of a number, with "+", under which users are known; what is no number stays as it is. */
export function currentNumber(number: string): string {
	return userNumber(number.replace("+", "")) ?? number;
}

/** Every id by which WhatsApp may name the user of a number: its digits today, and those of the plan before. */
export function whatsappIds(number: string): string[] {
	const given = number.replace("+", "");
	const current = currentNumber(number).replace("+", "");
	const former = current
		.replace(/^52([0-9]{10})$/, "521$1")
		.replace(/^55([0-9]{2})9([6-9][0-9]{7})$/, "55$1$2");
	const argentine = ARGENTINE.exec(current)?.[1];
	const forms = argentine ? [`54${argentine}`, `549${argentine}`] : [];
	return [...new Set([given, current, former, ...forms])];
}

/** Every number, E.164 with "+", under which what was sent to the user of a number, or came from it, may be stored. */
export function userNumbers(number: string): string[] {
	return whatsappIds(number).map((id) => `+${id}`);
}
