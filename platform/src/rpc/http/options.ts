import { MAX_UNAUTHENTICATED_CALLS } from "./unauthenticated.ts";

const MIB = 1_048_576;
/** Once a call of the connection was let in. */
export const MAX_STREAMS_PER_CONNECTION = 1_000;
const STREAM_WINDOW_BYTES = MIB;
/** Clients are told: what nghttp2 reads of one field. A longer one would end the connection. */
const MAX_HTTP2_HEADER_BYTES = 64 * 1_024;
/** Room for what is refused: a token of 100 kB must not end its connection. */
const MAX_HTTP1_HEADER_BYTES = 128 * 1_024;
const MAX_SESSION_MEMORY_MB = 64;
/**
 * Streams that a peer may open and reset at once, and each second after that; beyond, its session ends. A caller whose
 * calls reach their deadlines together resets them together.
 */
const RESET_BURST = 50;
const RESETS_PER_S = 50;
const TCP_KEEPALIVE_MS = 30_000;
/** Of a connection of HTTP/1.1 without a byte in either direction: longer than a call may take. */
const IDLE_MS = 60_000;

export const SOCKET_OPTIONS = {
	keepAlive: true,
	keepAliveInitialDelay: TCP_KEEPALIVE_MS,
	noDelay: true,
};

export const HTTP2_OPTIONS = {
	settings: {
		maxConcurrentStreams: MAX_UNAUTHENTICATED_CALLS,
		initialWindowSize: STREAM_WINDOW_BYTES,
		maxHeaderListSize: MAX_HTTP2_HEADER_BYTES,
	},
	maxSessionMemory: MAX_SESSION_MEMORY_MB,
	streamResetBurst: RESET_BURST,
	streamResetRate: RESETS_PER_S,
	...SOCKET_OPTIONS,
};

export const HTTP1_OPTIONS = {
	maxHeaderSize: MAX_HTTP1_HEADER_BYTES,
	timeout: IDLE_MS,
};
