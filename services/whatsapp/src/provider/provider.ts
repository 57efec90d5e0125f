import type { ProviderTemplate } from "../domain/provider-template.ts";

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

export type SubmitResult =
	| {
			readonly kind: "taken";
			readonly providerMessageId: string;
			/** The provider's name for the recipient. */
			readonly waId: string | undefined;
	  }
	| {
			readonly kind: "refused";
			readonly code: number | undefined;
			readonly httpStatus: number;
			readonly isTransient: boolean;
			/** As received, for support cases. */
			readonly text: string;
	  }
	/** Nothing was written: it may go again. */
	| { readonly kind: "unsent"; readonly text: string }
	/** Written, and no answer that can be read: it must never go again. */
	| { readonly kind: "unknown"; readonly text: string };

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
