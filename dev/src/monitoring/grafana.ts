import type { Dashboard, Panel } from "./panel.ts";

const COLUMNS = 3;
const WIDTH = 24 / COLUMNS;
const HEIGHT = 8;
const DATA_SOURCE = { type: "prometheus", uid: "$datasource" };

/** A dashboard as Grafana reads it; it asks for its Prometheus by name. */
export function toGrafana({ name, panels }: Dashboard) {
	return {
		uid: `airtower-${name}`,
		title: `Airtower: ${name}`,
		tags: ["airtower"],
		schemaVersion: 41,
		refresh: "30s",
		time: { from: "now-3h", to: "now" },
		templating: {
			list: [{ name: "datasource", type: "datasource", query: "prometheus" }],
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
			expr,
			legendFormat,
			exemplar: expr.includes("_bucket"),
		})),
	};
}
