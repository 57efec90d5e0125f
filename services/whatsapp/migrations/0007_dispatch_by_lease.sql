-- A message without a response waits for a status in its own row; the queue holds what is still to be sent.
alter table messages add column unknown_until timestamptz(3);

update messages
set unknown_until = dispatch.due_at
from dispatch
where dispatch.message_id = messages.id
and dispatch.state = 'unknown';

alter table messages add constraint messages_unknown check (
	status <> 'unknown' or unknown_until is not null
);
create index messages_unknown on messages (unknown_until) where status = 'unknown';

delete from dispatch where state = 'unknown';

-- What processes hold that are still alive, or have just died: their leases run out as before.
insert into leases (token, lease_until)
select token, max(lease_until)
from dispatch
where token is not null
group by token;

-- True from just before the submit on: what a crash leaves behind then is unknown.
alter table dispatch add column submitting boolean not null default false;
update dispatch set submitting = true where state = 'submitting';

-- Dropping the columns drops the indexes and constraints that mention them.
alter table dispatch drop column state, drop column lease_until;
alter table dispatch
	alter column content set not null,
	add constraint dispatch_submitting check (not submitting or token is not null);
-- Room for the claim and the mark of each row beside it: both are heap-only updates.
alter table dispatch set (fillfactor = 45);

create index dispatch_due on dispatch (phone_number_id, due_at);
create index dispatch_by_recipient on dispatch (phone_number_id, recipient);
create index dispatch_expiring on dispatch (expires_at);
