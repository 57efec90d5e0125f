-- What became of the messages that were submitted to a route in a minute; the rest of them has no receipt yet.
create table route_minutes (
	minute timestamptz not null,
	route text not null,
	submitted integer not null,
	delivered integer not null,
	failed integer not null,
	-- From the submissions to the receipts that ended them, together, see `addTraffic`.
	receipt_seconds double precision not null,
	primary key (minute, route)
) with (fillfactor = 50);

-- The same of an hour, by the calling code of the recipients' country; the empty one is of numbers that were erased.
create table route_prefix_hours (
	hour timestamptz not null,
	route text not null,
	prefix text not null,
	submitted integer not null,
	delivered integer not null,
	failed integer not null,
	primary key (hour, route, prefix)
) with (fillfactor = 50);
