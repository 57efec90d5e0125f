create table inbox (
	consumer_group text not null,
	event_id uuid not null,
	received_at timestamptz not null default now(),
	primary key (consumer_group, event_id)
);

create index inbox_received_at on inbox (received_at);

create table dead_letters (
	id bigserial primary key,
	consumer_group text not null,
	event_id uuid not null,
	topic text not null,
	type text not null,
	key text not null,
	organization_id text not null,
	payload bytea not null,
	traceparent text,
	reason text not null,
	detail text not null,
	attempts int not null default 1,
	parked_at timestamptz not null default now(),
	unique (consumer_group, event_id)
);
