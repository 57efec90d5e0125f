/** Quota belongs to SMS, and so do the grants and adjustments that name no channel. */
export const CHANNEL_OF_GRANTS = "sms";
