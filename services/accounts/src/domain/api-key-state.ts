/** States of an API key. A key past its time is refused at once, whatever its state says. */
export const API_KEY_STATES = ["active", "expired", "revoked"] as const;

export type ApiKeyState = (typeof API_KEY_STATES)[number];

const NEXT_API_KEY_STATES: Record<ApiKeyState, readonly ApiKeyState[]> = {
	active: ["expired", "revoked"],
	expired: ["revoked"],
	revoked: [],
};

export const REVOCABLE_STATES: readonly ApiKeyState[] = API_KEY_STATES.filter(
	(state) => NEXT_API_KEY_STATES[state].includes("revoked"),
);
