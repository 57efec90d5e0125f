-- A parked receipt is looked at again after a pause; nothing finds it by its keys any more.
-- The index cost more, under load, than all that it found.
drop index receipts_parked;

-- Finds those that have waited too long.
create index receipts_parked on receipts (received_at) where misses > 0;
