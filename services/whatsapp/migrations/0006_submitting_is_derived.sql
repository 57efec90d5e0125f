-- A message in the queue is accepted; whether it was claimed before, the queue alone knows.
alter table messages drop constraint messages_status;

update messages
set status = 'accepted'
where status = 'submitting';

alter table messages add constraint messages_status check (
	case direction
		when 'inbound' then status = 'received'
		else status in ('accepted', 'unknown', 'sent', 'delivered', 'read', 'failed')
	end
);
