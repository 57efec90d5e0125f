-- After a restore, before any service starts, as the superuser: \i after-restore.sql
-- What waits to be sent at the restored moment may have been sent after it. Each such message is given to a process that
-- does not exist, so that the services treat it as after a crash: an SMS waits for its receipt and then goes once more,
-- marked as a possible duplicate, or never (UNKNOWN_POLICY); a WhatsApp message waits for its status and never goes again.
begin;

with gone as (
	insert into messaging.leases (token, renewed_at, lease_until)
	values (gen_random_uuid(), now(), now())
	returning token
)
update messaging.dispatch
set
	token = gone.token,
	attempt = attempt + 1,
	sent_at = now()
from gone
where dispatch.token is null
and not unknown;

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
where dispatch.token is null;

commit;
