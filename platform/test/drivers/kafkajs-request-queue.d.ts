/** The part of kafkajs that our patch changes; it ships no types. */
declare module "kafkajs/src/network/requestQueue/index.js" {
	interface PushedRequest {
		readonly entry: {
			readonly correlationId: number;
			readonly resolve: () => void;
			readonly reject: () => void;
		};
		readonly expectResponse: boolean;
		readonly sendRequest: () => void;
	}
	class RequestQueue {
		constructor(options: {
			readonly maxInFlightRequests: number;
			readonly logger: { debug(): void; warn(): void };
		});
		push(request: PushedRequest): void;
		fulfillRequest(response: {
			readonly correlationId: number;
			readonly payload: unknown;
			readonly size: number;
		}): void;
		/** @param ms pause that the broker asked for */
		maybeThrottle(ms: number): void;
	}
	export = RequestQueue;
}
