-- A log in place of one row per event and group: each row once, and for each durable group the position up to which it
-- has dealt with a topic. Positions follow the order of the commits, for one publisher writes at a time.
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

create table places (
	group_name text not null,
	topic text not null,
	position bigint not null,
	primary key (group_name, topic)
);

-- A group gets again what others still wait for: consumers know the events that they have applied.
insert into events (event_id, topic, type, key, organization_id, payload, traceparent, published_at)
select event_id, topic, type, key, organization_id, payload, traceparent, published_at
from (
	select distinct on (event_id) *
	from records
	order by event_id, position
) as waiting
order by position;

insert into places (group_name, topic, position)
select group_name, topic, 0
from subscriptions
where not ephemeral;

drop table records;
drop table subscriptions;
