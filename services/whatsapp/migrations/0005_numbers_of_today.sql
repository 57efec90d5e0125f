-- Messages, what waits of them, and conversations all bear the number of today, by which a text finds its window.
create function number_of_today(recipient text) returns text
language sql immutable
return regexp_replace(
	regexp_replace(recipient, '^\+521([0-9]{10})$', '+52\1'),
	'^\+55([0-9]{2})([6-9][0-9]{7})$', '+55\19\2'
);

update messages
set recipient = number_of_today(recipient)
where recipient <> number_of_today(recipient);

update dispatch
set recipient = number_of_today(recipient)
where recipient <> number_of_today(recipient);

-- A user with a conversation under either number keeps that of today, with the names and the window of the other.
with former as (
	delete from conversations
	using conversations as today
	where conversations.recipient <> number_of_today(conversations.recipient)
	and today.phone_number_id = conversations.phone_number_id
	and today.recipient = number_of_today(conversations.recipient)
	returning conversations.*, today.id as today_id
)
update conversations as today
set
	wa_id = coalesce(former.wa_id, today.wa_id),
	user_id = coalesce(former.user_id, today.user_id),
	window_opened_at = case
		when former.window_expires_at > coalesce(today.window_expires_at, '-infinity')
		then former.window_opened_at
		else today.window_opened_at
	end,
	window_expires_at = greatest(former.window_expires_at, today.window_expires_at),
	maybe_open = former.maybe_open or today.maybe_open,
	last_message_at = greatest(former.last_message_at, today.last_message_at)
from former
where today.id = former.today_id;

update conversations
set recipient = number_of_today(recipient)
where recipient <> number_of_today(recipient);

drop function number_of_today;
