-- When a connection that is not up is tried next.
alter table route_connections add column next_try_at timestamptz;
