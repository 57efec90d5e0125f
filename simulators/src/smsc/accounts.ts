/** SMPP 3.4, 5.1.3. */
const WRONG_PASSWORD = 0x0e;
const UNKNOWN_SYSTEM_ID = 0x0f;

/** Who may bind. */
export class Accounts {
	readonly #passwords: ReadonlyMap<string, string>;
	#refusal = 0;

	constructor(passwords: Readonly<Record<string, string>>) {
		this.#passwords = new Map(Object.entries(passwords));
	}

	/** Responds to every bind with this status; 0 decides by password again. */
	refuseAll(status: number): void {
		this.#refusal = status;
	}

	/** command_status of a bind_resp. */
	check(systemId: string, password: string): number {
		if (this.#refusal !== 0) return this.#refusal;
		const expected = this.#passwords.get(systemId);
		if (expected === undefined) return UNKNOWN_SYSTEM_ID;
		return expected === password ? 0 : WRONG_PASSWORD;
	}
}
