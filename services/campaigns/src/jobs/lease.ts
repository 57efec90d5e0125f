/** How long a campaign stays with a job that says nothing more, ms: far longer than one step. */
export const LEASE_MS = 30_000;
