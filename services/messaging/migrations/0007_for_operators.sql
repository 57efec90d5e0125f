-- What the operator answered to the last submit that it refused, as received.
alter table messages add column operator_error text;

create index sender_ids_pending on sender_ids (created_at, id) where status = 'pending';

-- How each process that delivers stands with each operator; gone with its lease.
create table route_connections (
	token uuid not null references dispatchers on delete cascade,
	route text not null,
	connections integer not null,
	connections_wanted integer not null,
	paused_until timestamptz,
	last_error text,
	primary key (token, route)
);
