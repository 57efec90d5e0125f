import type { KeyRing } from "@airtower/platform/runtime/key-ring";
import { openSecret } from "@airtower/platform/runtime/secret-box";
import type { AttemptOutcome } from "../domain/attempt-outcome.ts";
import { windowStatus } from "../domain/conversation-window.ts";
import { parametersProblem } from "../domain/template-parameters.ts";
import { isSendable } from "../domain/template-state.ts";
import type { OutgoingContent, OutgoingMessage } from "../provider/provider.ts";
import type { SendFacts } from "../store/dispatch.ts";
import type { HeldMessage } from "./attempt.ts";

export type Prepared =
	| { readonly outgoing: OutgoingMessage }
	| { readonly outcome: AttemptOutcome };

const EXPIRED = { kind: "failed", failure: "expired" } as const;
const REJECTED = { kind: "failed", failure: "rejected" } as const;

/**
 * Looks at a message once more just before it goes: time has passed since it was accepted, windows
 * close, and the provider recategorises templates by itself.
 */
export function prepareMessage(
	held: HeldMessage,
	facts: SendFacts,
	ring: KeyRing,
	now: Date,
): Prepared {
	if (held.expiresAt.getTime() <= now.getTime()) return { outcome: EXPIRED };
	const content = contentOf(held, facts, now);
	if (content === undefined) return { outcome: REJECTED };
	const accessToken = openToken(ring, facts, held.phoneNumberId);
	if (accessToken === undefined)
		return {
			outcome: {
				kind: "number_stopped",
				reason: "the access token cannot be opened",
			},
		};
	return {
		outgoing: {
			messageId: held.messageId,
			to: held.recipient,
			providerPhoneNumberId: facts.providerPhoneNumberId,
			accessToken,
			content,
		},
	};
}

function contentOf(
	{ content }: HeldMessage,
	{ template, windowExpiresAt }: SendFacts,
	now: Date,
): OutgoingContent | undefined {
	if ("body" in content)
		return windowStatus(windowExpiresAt, now) === "open"
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
	{ accessToken }: SendFacts,
	phoneNumberId: string,
): string | undefined {
	try {
		return openSecret(ring, accessToken, phoneNumberId).toString();
	} catch {
		return undefined;
	}
}
