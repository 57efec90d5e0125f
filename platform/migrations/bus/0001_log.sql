-- Each event once, and for each durable group the position up to which it has dealt with a topic. Positions follow the
-- order of the commits, for one publisher writes at a time.
create table events (
	position bigint generated always as identity primary key,
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

create index events_topic_position on events (topic, position);

create table group_positions (
	group_name text not null,
	topic text not null,
	position bigint not null,
	primary key (group_name, topic)
);
