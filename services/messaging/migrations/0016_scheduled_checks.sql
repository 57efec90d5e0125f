-- outside of a transaction

alter table messages validate constraint messages_status;

alter table messages validate constraint messages_finished;
