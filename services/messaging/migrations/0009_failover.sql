-- Routes that refused the message in its present attempt: it goes back to none of them before its next delay. Null where
-- none did.
alter table dispatch add column tried_routes text[];

-- The route of a message when it was accepted, once it has been moved to another; null before that costs a bit of the row.
alter table messages add column first_route text;
