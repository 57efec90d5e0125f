export const topics = {
	messagingOutcome: "messaging.message-outcome.v1",
	messagingAccepted: "messaging.messages-accepted.v1",
	messagingEvent: "messaging.event.v1",
	whatsappOutcome: "whatsapp.message-outcome.v1",
	whatsappEvent: "whatsapp.event.v1",
	whatsappAccepted: "whatsapp.messages-accepted.v1",
	accountsChange: "accounts.change.v1",
	accountsDailyReport: "accounts.daily-report.v1",
} as const;
