-- The shared table of leases takes the place of `dispatchers`; what its processes hold is found by their tokens.
insert into leases
select token, lease_until
from dispatchers;

-- How connections stand is reported anew every few seconds.
truncate route_connections;
alter table route_connections drop constraint route_connections_token_fkey;
alter table route_connections add foreign key (token) references leases on delete cascade;
drop table dispatchers;

-- A row waits while it has no token, and is on its way to the operator while it has one: the claim is the mark.
alter table dispatch
	rename column doubtful to unclear;
alter table dispatch
	drop constraint dispatch_token,
	add column segments smallint not null default 1,
	-- Claims of which nothing reached the operator.
	add column unsent integer not null default 0,
	-- Sent, and no response came: it waits for a receipt, or to be sent once more.
	add column unknown boolean not null default false;

update dispatch
set
	segments = messages.segments,
	unsent = attempt - messages.attempts,
	unknown = state = 'unknown',
	token = case when state = 'submitting' then token end
from messages
where messages.id = message_id;

alter table dispatch
	drop column state,
	add constraint dispatch_unknown check (not (unknown and token is not null)),
	set (fillfactor = 45);

-- What the receipt said that ended a message of one part, whose row in `parts` does not change.
alter table messages add column receipt_error text;
