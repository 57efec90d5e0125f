-- Due work only: a row leaves when the operator has taken or refused the message. A row waits while it has no token, and
-- is on its way to the operator while it has one.
create table dispatch (
	message_id uuid primary key,
	organization_id uuid not null,
	route text not null,
	due_at timestamptz not null default now(),
	expires_at timestamptz not null,
	attempt integer not null default 0,
	refusals integer not null default 0,
	unclear boolean not null default false,
	resent boolean not null default false,
	token uuid,
	segments smallint not null default 1,
	-- Claims of which nothing reached the operator.
	unsent integer not null default 0,
	-- Sent, and no response came: it waits for a receipt, or to be sent once more.
	unknown boolean not null default false,
	-- When the row was claimed last.
	sent_at timestamptz,
	-- Submits to which the operator responded by refusing the session.
	session_refusals smallint not null default 0,
	-- An unknown message is claimed once the parked receipts to its number have been looked at after it was due.
	may_repeat boolean not null default false,
	-- The number of the last receipt that was stored before the message was claimed: none up to it is of that submit. The
	-- database's clock does not tell, for it may step back.
	receipts_before bigint not null default 0,
	constraint dispatch_unknown check (not (unknown and token is not null))
) with (
	fillfactor = 45,
	autovacuum_vacuum_scale_factor = 0.05,
	autovacuum_vacuum_threshold = 2000
);

-- The token is not indexed: claiming is a heap-only update. With ids in it this index would serve to find rows by id as
-- well, in the planner's eyes: by skipping from one due time to the next, which takes as many searches as there are due
-- times. Equal times keep the order of arrival.
create index dispatch_due on dispatch (route, organization_id, due_at);

-- Few at any time. A claim changes the column only of a row that goes once more.
create index dispatch_unknown on dispatch (message_id) where unknown;

-- Organizations whose accepted messages wait, as an admin decided.
create table suspended_organizations (
	organization_id uuid primary key,
	suspended_at timestamptz not null default now()
);

-- How each process that delivers stands with each operator; gone with its lease.
create table route_connections (
	token uuid not null references leases on delete cascade,
	route text not null,
	connections integer not null,
	connections_wanted integer not null,
	paused_until timestamptz,
	last_error text,
	-- An admin wants what is not connected to be tried now; taken back by the process that does it.
	reconnect boolean not null default false,
	-- When a connection that is not up is tried next.
	next_try_at timestamptz,
	primary key (token, route)
);

-- One row for each connection that an operator grants. Who holds the lease keeps it up; without a token it is free.
create table bind_slots (
	route text not null,
	slot smallint not null,
	token uuid references leases on delete set null,
	primary key (route, slot)
);
