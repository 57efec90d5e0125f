/** The topics of the platform; a change that consumers cannot read makes a new version. */
export const topics = {
	/** airtower.common.v1.MessageOutcome of SMS, keyed by message id. */
	messagingOutcome: "messaging.message-outcome.v1",
	/** airtower.common.v1.MessageOutcome of WhatsApp, keyed by message id. */
	whatsappOutcome: "whatsapp.message-outcome.v1",
	/** airtower.accounts.v1.AccountChange, keyed by organization id. */
	accountsChange: "accounts.change.v1",
} as const;
