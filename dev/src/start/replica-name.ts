/** The process of which this one is a replica: "messaging" for "messaging-2". */
export function withoutReplica(name: string): string {
	return name.replace(/-\d+$/, "");
}
