import { Code, ConnectError } from "@connectrpc/connect";

/** The server cannot have seen the call (RFC 9113, section 8.7): it may be made again. */
export class UnseenError extends ConnectError {
	constructor(message: string, cause: unknown) {
		super(message, Code.Unavailable, undefined, undefined, cause);
	}
}
