const SHOWN_DIGITS = 4;

/** "+33612345678" becomes "*******5678". */
export function maskRecipient(recipient: string): string {
	return recipient
		.replace(/\D/g, "")
		.slice(-SHOWN_DIGITS)
		.padStart(recipient.length - 1, "*");
}
