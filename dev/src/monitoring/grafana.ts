import type { Dashboard, Panel } from "./panel.ts";

const COLUMNS = 3;
const WIDTH = 24 / COLUMNS;
const HEIGHT = 8;
const DATA_SOURCE = { type: "prometheus", uid: "$datasource" };
/** One Prometheus may read several installations. `.*` also means those whose metrics have no such label. */
const NAMESPACE = {
	name: "namespace",
	type: "query",
	datasource: DATA_SOURCE,
	query: "label_values(gateway_service_up, namespace)",
	refresh: 1,
	multi: true,
	includeAll: true,
	allValue: ".*",
	current: { text: "All", value: "$__all" },
};
/** The name of a metric has an underscore or our prefix, no parenthesis after it, and perhaps selectors. */
const METRIC = /\b(?:airtower:[\w:]+|[a-z]+(?:_[a-z0-9]+)+)\b(?! ?\()\{?/g;

/** A dashboard as Grafana reads it; it asks for its Prometheus, and which namespaces of it to show. */
export function toGrafana({ name, panels }: Dashboard) {
	return {
		uid: `airtower-${name}`,
		title: `Airtower: ${name}`,
		tags: ["airtower"],
		schemaVersion: 41,
		refresh: "30s",
		time: { from: "now-3h", to: "now" },
		templating: {
			list: [
				{ name: "datasource", type: "datasource", query: "prometheus" },
				NAMESPACE,
			],
		},
		panels: panels.map(toPanel),
	};
}

function toPanel({ title, unit, queries }: Panel, index: number) {
	return {
		id: index + 1,
		type: "timeseries",
		title,
		datasource: DATA_SOURCE,
		gridPos: {
			x: (index % COLUMNS) * WIDTH,
			y: Math.floor(index / COLUMNS) * HEIGHT,
			w: WIDTH,
			h: HEIGHT,
		},
		fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
		targets: Object.entries(queries).map(([legendFormat, expr], nth) => ({
			refId: String.fromCharCode("A".charCodeAt(0) + nth),
			expr: ofNamespaces(expr),
			legendFormat,
			exemplar: expr.includes("_bucket"),
		})),
	};
}

function ofNamespaces(expr: string): string {
	const chosen = 'namespace=~"$namespace"';
	return expr.replaceAll(METRIC, (metric) =>
		metric.endsWith("{") ? `${metric}${chosen}, ` : `${metric}{${chosen}}`,
	);
}
