-- After a restore, before any service starts, as the superuser: \i after-restore.sql
-- What waits to be sent at the restored moment may have been sent after it. Each such message is given to a process that
-- does not exist, so that the services treat it as after a crash: an SMS waits for its receipt and then goes once more,
-- marked as a possible duplicate, or never (UNKNOWN_POLICY); a WhatsApp message waits for its status and never goes again.
-- To whom a campaign has sent since nobody can tell: those that were not done are paused until somebody decides.
begin;

-- Messages for later whose time has come since are among those that wait.
with due as (
	delete from messaging.scheduled_messages
	where due_at <= now()
	returning *
)
insert into messaging.dispatch (message_id, organization_id, route, segments, lane, due_at, send_at, expires_at)
select
	message_id,
	due.organization_id,
	due.route,
	due.segments,
	lane,
	due_at,
	due_at,
	due_at + interval '1 day'
from due
join messaging.messages on messages.id = message_id;

with gone as (
	insert into messaging.leases (token, renewed_at, lease_until)
	values (gen_random_uuid(), now(), now())
	returning token
)
update messaging.dispatch
set
	token = gone.token,
	attempt = attempt + 1,
	sent_at = now(),
	-- A receipt from before the restored moment is of none of these.
	receipts_before = coalesce(pg_sequence_last_value('messaging.receipts_id_seq'), 0)
from gone
where dispatch.token is null
and not unknown;

-- Also what a process had claimed, and was about to send.
with gone as (
	insert into whatsapp.leases (token, renewed_at, lease_until)
	values (gen_random_uuid(), now(), now())
	returning token
)
update whatsapp.dispatch
set
	token = gone.token,
	attempt = attempt + 1,
	submitting = true
from gone
where not submitting;

update campaigns.campaigns
set
	status = 'paused',
	status_reason = 'requested',
	paused_since = now(),
	due_at = null,
	lease_token = null,
	lease_until = null
where staged_at is null
and (
	status = 'sending'
	or (status = 'paused' and status_reason <> 'requested')
	or (status = 'scheduled' and scheduled_at <= now())
);

commit;
