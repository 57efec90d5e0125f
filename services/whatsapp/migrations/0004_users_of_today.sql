-- Users whom WhatsApp names by an old number are known by the number of today; a conversation of that number keeps its place.
update conversations
set recipient = regexp_replace(
	regexp_replace(recipient, '^\+521([0-9]{10})$', '+52\1'),
	'^\+55([0-9]{2})([6-9][0-9]{7})$', '+55\19\2'
)
where recipient ~ '^\+(521[0-9]{10}|55[0-9]{2}[6-9][0-9]{7})$'
and not exists (
	select
	from conversations as other
	where other.phone_number_id = conversations.phone_number_id
	and other.recipient = regexp_replace(
		regexp_replace(conversations.recipient, '^\+521([0-9]{10})$', '+52\1'),
		'^\+55([0-9]{2})([6-9][0-9]{7})$', '+55\19\2'
	)
);
