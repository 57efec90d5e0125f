export type Labels = Readonly<Record<string, string>>;

/** An object that `kubectl` would apply. */
export interface Manifest<Spec = unknown> {
	readonly apiVersion: string;
	readonly kind: string;
	readonly metadata: {
		readonly name: string;
		readonly namespace?: string;
		readonly labels?: Labels;
	};
	readonly spec: Spec;
	readonly data?: Readonly<Record<string, string>>;
	readonly automountServiceAccountToken?: boolean;
}

export type Overlay = readonly Manifest[];

export function ofKind<Spec>(overlay: Overlay, kind: string): Manifest<Spec>[] {
	return overlay.filter((one) => one.kind === kind) as Manifest<Spec>[];
}

/** `Deployment accounts`, as findings begin. */
export function nameOf({ kind, metadata }: Manifest): string {
	return `${kind} ${metadata.name}`;
}

export interface Selector {
	readonly matchLabels?: Labels;
}

/** Whether a selector takes these labels; one that says nothing takes all. */
export function selects(selector: Selector, labels: Labels): boolean {
	return Object.entries(selector.matchLabels ?? {}).every(
		([name, value]) => labels[name] === value,
	);
}
