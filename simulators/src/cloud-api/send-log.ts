import { LogFile } from "../json-lines.ts";

/** One message that was taken. */
export interface AcceptedSend {
	/** Unix time, ms. */
	readonly at: number;
	/** Our id: wamid. */
	readonly id: string;
	readonly phoneNumberId: string;
	/** Digits of the recipient. */
	readonly to: string;
	readonly type: "template" | "text";
	/** biz_opaque_callback_data, empty when absent. */
	readonly opaque: string;
	/** False when the message was taken and its response withheld. */
	readonly answered: boolean;
	/** The request as it came. */
	readonly request: object;
}

/** Everything that was taken: the outside truth about what Meta got. Entries are never changed. */
export class SendLog {
	readonly #file: LogFile;
	readonly #entries: AcceptedSend[] = [];

	constructor(file?: string) {
		this.#file = new LogFile(file);
	}

	/** Oldest first. */
	get entries(): readonly AcceptedSend[] {
		return this.#entries;
	}

	/** Written before the response leaves: what a client was told is always on file. */
	append(entry: AcceptedSend): void {
		this.#entries.push(entry);
		this.#file.append(entry);
		this.#file.flush();
	}

	close(): void {
		this.#file.close();
	}
}
