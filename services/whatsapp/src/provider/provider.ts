import type { ProviderTemplate } from "../domain/provider-template.ts";
import type { SubmitResult } from "../domain/submit-result.ts";

/** What a message says. */
export type OutgoingContent =
	| { readonly kind: "text"; readonly body: string }
	| {
			readonly kind: "template";
			readonly name: string;
			readonly language: string;
			readonly isAuthentication: boolean;
			readonly parameters: readonly string[];
			/** Names of the places, when the template has names. */
			readonly parameterNames: readonly string[] | null;
	  };

export interface OutgoingMessage {
	/** Echoed by the provider in every status. */
	readonly messageId: string;
	/** E.164 with "+". */
	readonly to: string;
	readonly providerPhoneNumberId: string;
	readonly accessToken: string;
	readonly content: OutgoingContent;
}

/** The port to the provider. */
export interface Provider {
	/** Never throws. */
	submit(message: OutgoingMessage): Promise<SubmitResult>;
	/** All templates of a business account. Throws DomainError `provider_unavailable` or `provider_refused`. */
	listTemplates(
		providerAccountId: string,
		accessToken: string,
	): Promise<ProviderTemplate[]>;
	close(): Promise<void>;
}
