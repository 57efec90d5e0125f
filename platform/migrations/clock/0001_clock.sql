-- The latest time of this server's clock that a process has seen, within a few seconds: what is above the clock tells
-- that it has stepped back, also when no process ran meanwhile or another server has taken over.
create table database_clock (
	is_only boolean primary key default true check (is_only),
	seen_at timestamptz not null
) with (fillfactor = 50);

insert into database_clock (seen_at) values (now());
