import type { KeyRing } from "@airtower/platform/sealing/key-ring";
import { openSecret } from "@airtower/platform/sealing/sealed-secret";
import type { AttemptOutcome } from "../domain/attempt-outcome.ts";
import { windowStatus } from "../domain/conversation-window.ts";
import { parametersProblem } from "../domain/template-parameters.ts";
import { isSendable } from "../domain/template-state.ts";
import type { OutgoingContent, OutgoingMessage } from "../provider/provider.ts";
import type { ClaimedMessage } from "../store/dispatch/claims.ts";

const EXPIRED = { kind: "failed", failure: "expired" } as const;
const REJECTED = { kind: "failed", failure: "rejected" } as const;
/** Until a message whose number's token could not be opened is looked at again, by whichever process, ms. */
const UNREADABLE_DELAY_MS = 10_000;

/**
 * Looks at a message once more: windows close, and the provider recategorises templates by itself. One whose number's
 * token is under a key that this process does not have is postponed: others may have it, or a setting brings it back.
 */
export function prepareMessage(
	message: ClaimedMessage,
	ring: KeyRing,
): OutgoingMessage | AttemptOutcome {
	const { messageId, recipient: to, providerPhoneNumberId } = message;
	if (message.expiresAt <= message.claimedAt) return EXPIRED;
	const content = toContent(message);
	if (content === undefined) return REJECTED;
	const accessToken = openToken(ring, message);
	if (accessToken === undefined)
		return {
			kind: "postponed",
			delayMs: UNREADABLE_DELAY_MS,
			refusals: message.refusals,
			pauses: "nobody",
		};
	return { messageId, to, providerPhoneNumberId, accessToken, content };
}

function toContent({
	content,
	template,
	windowExpiresAt,
	claimedAt,
}: ClaimedMessage): OutgoingContent | undefined {
	if ("body" in content)
		return windowStatus(windowExpiresAt, claimedAt) === "open"
			? { kind: "text", body: content.body }
			: undefined;
	const { parameters } = content;
	if (template === null || !isSendable(template)) return undefined;
	if (parametersProblem(template, parameters) !== undefined) return undefined;
	return {
		kind: "template",
		name: template.name,
		language: template.language,
		isAuthentication: template.category === "authentication",
		parameters,
		parameterNames: template.parameterNames,
	};
}

function openToken(
	ring: KeyRing,
	{ sealedToken, phoneNumberId }: ClaimedMessage,
): string | undefined {
	try {
		return openSecret(ring, sealedToken, phoneNumberId).toString();
	} catch {
		return undefined;
	}
}
