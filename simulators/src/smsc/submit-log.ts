import { LogFile } from "../log-file.ts";

export interface Submit {
	readonly at: number;
	readonly systemId: string;
	readonly source: string;
	readonly destination: string;
	readonly id: string;
	/** command_status of the response; 0 means taken. */
	readonly status: number;
	/** False when the part was taken and its response withheld. */
	readonly answered: boolean;
	readonly text: string;
	readonly inPayload: boolean;
	/** Place among the parts of a long message; 1 of 1 for a short one. */
	readonly part: number;
	readonly total: number;
	/** Concatenation reference, 0 for a short message. */
	readonly reference: number;
	readonly serviceType: string;
	readonly protocolId: number;
	readonly priority: number;
	/** TLVs beyond the standard: their octets in hexadecimal, by tag as `0x1400`. */
	readonly tlvs: Readonly<Record<string, string>>;
	readonly sourceTon: number;
	readonly sourceNpi: number;
	readonly destinationTon: number;
	readonly destinationNpi: number;
	readonly esmClass: number;
	readonly dataCoding: number;
	readonly registeredDelivery: number;
	readonly validity: string;
}

/** Everything that was submitted: the outside truth about what an operator got. Entries are never changed. */
export class SubmitLog {
	readonly #file: LogFile;
	readonly #keep: number;
	#entries: Submit[] = [];
	dropped = 0;

	/** Keeps the newest `keep` entries or more in memory, and all of them in the file when one is named. */
	constructor(keep: number, file?: string) {
		this.#keep = keep;
		this.#file = new LogFile(file);
	}

	get entries(): readonly Submit[] {
		return this.#entries;
	}

	get total(): number {
		return this.dropped + this.#entries.length;
	}

	append(entry: Submit): void {
		this.#entries.push(entry);
		this.#file.append(entry);
		if (this.#entries.length < this.#keep * 2) return;
		this.dropped += this.#entries.length - this.#keep;
		this.#entries = this.#entries.slice(-this.#keep);
	}

	/** The parts that the operator took, for a recipient with or without "+", or for all. */
	taken(destination?: string): Submit[] {
		const digits = destination?.replace("+", "");
		return this.#entries.filter(
			(entry) =>
				entry.status === 0 &&
				(digits === undefined || entry.destination === digits),
		);
	}

	/** Writes to the file. Called before responses leave, so that what a client was told is always on file. */
	flush(): void {
		this.#file.flush();
	}

	close(): void {
		this.#file.close();
	}
}
