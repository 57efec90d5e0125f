-- The body is stored once, as the exact text that is signed and sent to every endpoint. An event need not be about a
-- message. An event to an endpoint that is neither queued nor dead has been delivered, at the first attempt unless
-- `attempts` tells of more.
create table events (
	id uuid primary key,
	organization_id uuid not null,
	message_id uuid,
	type text not null,
	body text not null,
	occurred_at timestamptz(3) not null,
	created_at timestamptz(3) not null,
	endpoint_ids uuid[] not null,
	endpoint_count smallint not null generated always as (cardinality(endpoint_ids)) stored,
	-- Where the trace of an event that is traced goes on; null costs a bit of the row.
	traceparent text
) with (autovacuum_vacuum_insert_scale_factor = 0.1);

create index events_message on events (message_id);
create index events_created on events (created_at);

-- Deliveries are listed by the ids of their events, which follow time.
create index events_organization on events (organization_id, id) include (endpoint_count);

-- Work that is left: a row goes when its delivery has succeeded or is given up. Nothing that a claim changes
-- (token, attempt) is indexed, so claims are heap-only updates. No foreign keys: rows come and go in the same statements
-- as their events, and a check per row would lock the endpoint's row, which failure counts update.
create table delivery_queue (
	event_id uuid not null,
	endpoint_id uuid not null,
	due_at timestamptz not null default now(),
	attempt integer not null default 0,
	token uuid,
	-- The log of a delivery that was queued again tells of every attempt from then on.
	is_repeated boolean not null default false,
	-- Claims that ended by a failure of the deployment: `attempt` numbers claims, what is left of it without these is the receiver's.
	own_failures integer not null default 0,
	primary key (event_id, endpoint_id)
) with (
	fillfactor = 45,
	autovacuum_vacuum_scale_factor = 0.05,
	autovacuum_vacuum_threshold = 2000
);

-- One queue per endpoint: a claim reads the head of a queue, however long it is.
create index delivery_queue_due on delivery_queue (endpoint_id, due_at);

create table dead_deliveries (
	event_id uuid not null,
	endpoint_id uuid not null,
	attempt integer not null,
	http_status integer,
	error text not null,
	primary key (event_id, endpoint_id)
);

create index dead_deliveries_listed on dead_deliveries (endpoint_id, event_id);

create table attempts (
	id bigint generated always as identity primary key,
	event_id uuid not null,
	endpoint_id uuid not null,
	attempt integer not null,
	http_status integer,
	error text,
	duration_ms integer not null,
	at timestamptz not null default now()
);

create index attempts_event on attempts (event_id);
