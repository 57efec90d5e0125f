-- Submits to which the operator responded by refusing the session.
alter table dispatch add column session_refusals smallint not null default 0;

-- An admin wants what is not connected to be tried now; taken back by the process that does it.
alter table route_connections add column reconnect boolean not null default false;
