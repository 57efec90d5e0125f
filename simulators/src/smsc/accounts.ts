/** SMPP 3.4, 5.1.3. */
const WRONG_PASSWORD = 0x0e;
const UNKNOWN_SYSTEM_ID = 0x0f;

export type Accounts = ReturnType<typeof createAccounts>;

export function createAccounts(passwords: Readonly<Record<string, string>>) {
	let refusal = 0;
	return {
		/** 0 decides by password again. */
		refuseAll(status: number): void {
			refusal = status;
		},
		/** command_status of a bind_resp. */
		check(systemId: string, password: string): number {
			if (refusal !== 0) return refusal;
			if (!Object.hasOwn(passwords, systemId)) return UNKNOWN_SYSTEM_ID;
			return passwords[systemId] === password ? 0 : WRONG_PASSWORD;
		},
	};
}
