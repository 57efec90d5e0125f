-- outside of a transaction

-- The texts that one organization still has, the oldest first: each organization may keep them for a time of its own.
create index concurrently if not exists events_with_text_by_organization on events (organization_id, created_at)
	where type = 'message.received' and position('"text":""' in body) = 0;
