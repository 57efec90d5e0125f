-- What a process finds of a route that it delivers on; null while it has no opinion. Rows from before have none, so
-- that the checks need no validation.
alter table route_connections
	add column health text,
	add column health_reason text,
	add constraint route_connections_health check (health in ('up', 'trial', 'down')) not valid,
	add constraint route_connections_health_reason check (
		health_reason in ('not_connected', 'no_response', 'errors', 'slow', 'no_receipts')
	) not valid;

-- What decides between the routes of one priority.
alter table route_rules
	add column choose text not null default 'weight',
	add constraint route_rules_choose check (choose in ('weight', 'cost'));
