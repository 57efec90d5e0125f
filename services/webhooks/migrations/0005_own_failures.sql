-- Claims that ended by a failure of the deployment: `attempt` numbers claims, what is left of it without these is the receiver's.
alter table delivery_queue add column own_failures integer not null default 0;
