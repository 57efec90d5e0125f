-- outside of a transaction

-- Events that hold a text, which goes after the time of its organization: `text` is empty from then on.
create index concurrently if not exists events_with_text on events (created_at)
	where type = 'message.received' and position('"text":""' in body) = 0;
