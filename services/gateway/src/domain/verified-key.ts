export interface VerifiedKey {
	readonly apiKeyId: string;
	/** Masked form, for example "at_live_abcd****". */
	readonly prefix: string;
	readonly organizationId: string;
	/** "trial", "active", "past_due", "suspended" or "closed". */
	readonly organizationState: string;
	readonly scopes: ReadonlySet<string>;
	/** Requests allowed per 60-second window. */
	readonly rateLimit: number;
	/** As {@link rateLimit}, of all keys of the organization together. */
	readonly organizationRateLimit: number;
	/** Infinity for never. */
	readonly expiresAtMs: number;
	/** ISO 3166-1 alpha-2, empty for none. */
	readonly defaultCountry: string;
}
