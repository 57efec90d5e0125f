-- The number of the last receipt that was stored before the message was claimed: none up to it is of that submit. The
-- database's clock does not tell, for it may step back.
alter table dispatch add column receipts_before bigint not null default 0;
alter table unanswered add column receipts_before bigint not null default 0;
alter table parts add column receipts_before bigint not null default 0;

update unanswered
set receipts_before = earlier.id
from (
	select message_id, attempt, max(id) as id
	from unanswered
	join receipts on received_at < sent_at
	group by message_id, attempt
) as earlier
where unanswered.message_id = earlier.message_id
and unanswered.attempt = earlier.attempt;
