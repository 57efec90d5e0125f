/** States of one event on its way to one endpoint. */
export type DeliveryState = "pending" | "sending" | "delivered" | "dead";

export const DELIVERY_TRANSITIONS: Readonly<
	Record<DeliveryState, readonly DeliveryState[]>
> = {
	pending: ["sending", "dead"],
	sending: ["pending", "delivered", "dead"],
	delivered: [],
	dead: ["pending"],
};

/** The word that operators see: a delivery that is being sent is still pending to them. */
export function publicState(state: DeliveryState): string {
	return state === "sending" ? "pending" : state;
}
