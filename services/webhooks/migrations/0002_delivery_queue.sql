-- Work that is left: a row goes when its delivery has succeeded or is given up. Nothing that a claim changes
-- (token, attempt) is indexed, so claims are heap-only updates.
create table delivery_queue (
	event_id uuid not null,
	endpoint_id uuid not null,
	due_at timestamptz not null default now(),
	attempt integer not null default 0,
	token uuid,
	primary key (event_id, endpoint_id)
) with (
	fillfactor = 45,
	autovacuum_vacuum_scale_factor = 0.05,
	autovacuum_vacuum_threshold = 2000
);

create index delivery_queue_due on delivery_queue (endpoint_id, due_at);

create table dead_deliveries (
	event_id uuid not null,
	endpoint_id uuid not null,
	attempt integer not null,
	http_status integer,
	error text not null,
	primary key (event_id, endpoint_id)
);

create index dead_deliveries_endpoint on dead_deliveries (endpoint_id);

-- An event to an endpoint that is neither queued nor dead has been delivered, at the first attempt unless
-- `attempts` tells of more.
alter table events add column endpoint_ids uuid[];

update events
set endpoint_ids = coalesce(
	(
		select array_agg(endpoint_id order by endpoint_id)
		from deliveries
		where event_id = events.id
	),
	'{}'
);

alter table events
	alter column endpoint_ids set not null,
	add column endpoint_count smallint not null generated always as (cardinality(endpoint_ids)) stored,
	set (autovacuum_vacuum_insert_scale_factor = 0.1);

create index events_counted on events (organization_id, endpoint_count);
create index endpoints_organization on endpoints (organization_id);

insert into delivery_queue (event_id, endpoint_id, due_at, attempt)
select event_id, endpoint_id, coalesce(due_at, lease_until), attempt
from deliveries
where state in ('pending', 'sending');

insert into dead_deliveries (event_id, endpoint_id, attempt, http_status, error)
select event_id, endpoint_id, attempt, last_http_status, coalesce(last_error, 'connection_lost')
from deliveries
where state = 'dead';

insert into attempts (event_id, endpoint_id, attempt, http_status, error, duration_ms)
select event_id, endpoint_id, attempt, last_http_status, last_error, 0
from deliveries
where (attempt > 1 or last_error is not null)
and state <> 'dead'
and not exists (
	select
	from attempts
	where attempts.event_id = deliveries.event_id
	and attempts.endpoint_id = deliveries.endpoint_id
);

drop table deliveries;
truncate inbox;
