-- outside of a transaction
-- Scans go on where 0.1.0 has left them. Its processes still move their own positions while they run, and go on from there
-- after a roll-back: a reservation that is looked at twice is given back once, a message without a debit is kept once. A
-- roll-back must come before messaging drops what came since: the message of an old reservation would be missing.
-- `closing_at` stays where it is, for what reserves and what reconciles must read the same one.

insert into scan_positions (name, position)
select name, position
from (
	select
		'reservations/' || channel as name,
		to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || ' ' || entry_id as position
	from reconciler_watermarks
	union all
	select 'debits/' || channel, checked_message_id::text
	from reconciler_watermarks
) as positions
where name not in (select name from scan_positions)
limit 1000
on conflict do nothing;
