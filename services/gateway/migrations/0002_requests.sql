create table requests (
	organization_id uuid not null,
	created_at timestamptz(3) not null,
	id uuid not null,
	request_id text not null,
	method text not null,
	-- As the OpenAPI document writes it, null for a path that no operation has.
	route text,
	path text not null,
	status smallint not null,
	duration_ms real not null,
	api_key_id uuid not null,
	api_key_prefix text not null,
	error_code text,
	details jsonb,
	request jsonb,
	omitted integer not null,
	primary key (organization_id, created_at, id)
);

create index requests_created_at on requests (created_at);

comment on table requests is 'Requests of the last 7 days, without texts, secrets and whole phone numbers.';
comment on column requests.omitted is 'Requests of the organization before this one that were too many to be logged.';
