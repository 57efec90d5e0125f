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
			readonly text: string;
	  }
	/** Nothing was written: it may go again. */
	| { readonly kind: "unsent"; readonly text: string }
	/** Written, and no response that can be read: it must never go again. */
	| { readonly kind: "unknown"; readonly text: string };
