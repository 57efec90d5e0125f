-- All keys of an organization together have a limit of their own: more keys are no way around the one of a key.
alter table plans add column organization_requests_per_minute integer;

update plans
set organization_requests_per_minute = 4 * requests_per_minute;

alter table plans
	alter column organization_requests_per_minute set not null,
	add check (organization_requests_per_minute between requests_per_minute and 4000000);
