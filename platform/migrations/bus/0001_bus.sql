-- Which group gets which topic. A durable row stays until somebody deletes it; an ephemeral one lives by its heartbeat.
create table subscriptions (
	group_name text not null,
	topic text not null,
	ephemeral boolean not null,
	heartbeat_at timestamptz not null default now(),
	primary key (group_name, topic)
);

-- One row per event and subscribed group, deleted when the group has dealt with it.
-- The group '' keeps what was published before any durable group had subscribed.
create table records (
	position bigserial primary key,
	group_name text not null,
	event_id uuid not null,
	topic text not null,
	type text not null,
	key text not null,
	organization_id text not null,
	payload bytea not null,
	traceparent text,
	published_at timestamptz not null default now()
) with (
	autovacuum_vacuum_scale_factor = 0,
	autovacuum_vacuum_threshold = 5000,
	autovacuum_vacuum_insert_scale_factor = 0,
	autovacuum_vacuum_insert_threshold = 50000
);

create index records_group_position on records (group_name, position);
