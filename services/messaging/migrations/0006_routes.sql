-- Operator routes. Address, credentials and options are one sealed document.
create table routes (
	code text primary key,
	kind text not null,
	state text not null,
	settings bytea not null,
	-- Counts the changes: processes follow it.
	version integer not null default 1,
	created_at timestamptz not null default now(),
	changed_at timestamptz not null default now(),
	constraint routes_kind check (kind in ('smpp', 'http')),
	constraint routes_state check (state in ('active', 'paused', 'draining', 'removed'))
);

-- What admins want to be tried: a process that delivers connects to the operator and writes what it said.
create table route_tests (
	id uuid primary key,
	route text not null,
	-- Sealed like those of the route.
	settings bytea not null,
	asked_at timestamptz not null default now(),
	is_taken boolean not null default false,
	passed boolean,
	result text
);
