import type { SubmitResult } from "../domain/attempt-outcome.ts";
import type { ProviderTemplate } from "../domain/provider-template.ts";

export type OutgoingContent =
	| { readonly kind: "text"; readonly body: string }
	| {
			readonly kind: "template";
			readonly name: string;
			readonly language: string;
			readonly isAuthentication: boolean;
			readonly parameters: readonly string[];
			readonly parameterNames: readonly string[] | null;
	  };

export interface OutgoingMessage {
	/** Echoed by the provider in every status. */
	readonly messageId: string;
	readonly to: string;
	readonly providerPhoneNumberId: string;
	readonly accessToken: string;
	readonly content: OutgoingContent;
}

export interface Provider {
	/** Never throws. `unsent` where `mayWrite`, asked right before the first byte, refuses. */
	submit(
		message: OutgoingMessage,
		mayWrite: () => boolean,
	): Promise<SubmitResult>;
	listTemplates(
		providerAccountId: string,
		accessToken: string,
	): Promise<ProviderTemplate[]>;
	close(): Promise<void>;
}
