-- outside of a transaction
-- One that ended while it waited for quota in 0.1.0 would keep the others to their share for ever.

update campaigns
set starved = false
where id in (
	select id
	from campaigns
	where starved
	and completed_at is not null
	limit 1000
);
