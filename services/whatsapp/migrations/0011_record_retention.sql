-- The week of the last message: an index on its time itself would make each message's update of its conversation write
-- all indexes, one on the week does so once a week.
alter table conversations add column last_message_week date
	generated always as (date_trunc('week', last_message_at at time zone 'UTC')::date) stored;
create index conversations_by_week on conversations (last_message_week);
