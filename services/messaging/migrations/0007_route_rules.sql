-- Each change of the rules makes a version.
create table route_rule_versions (
	version integer primary key,
	made_at timestamptz not null default now()
);

-- Rules that choose the route of a new message. One that is changed or removed ends with a version and stays, so that
-- the rules of every version can be shown.
create table route_rules (
	id bigint generated always as identity primary key,
	prefix text not null,
	sender text,
	organization_id uuid,
	route text not null references routes,
	priority smallint not null,
	weight smallint not null,
	since_version integer not null references route_rule_versions,
	until_version integer references route_rule_versions,
	constraint route_rules_prefix check (prefix ~ '^([+][1-9][0-9]{0,8})?$'),
	constraint route_rules_priority check (priority between 1 and 100),
	constraint route_rules_weight check (weight between 1 and 1000),
	constraint route_rules_versions check (until_version > since_version)
);

create unique index route_rules_current on route_rules (prefix, sender, organization_id, route) nulls not distinct
where until_version is null;

-- The version of the rules that chose the route; null before there were any, which costs a bit of the row.
alter table messages add column rules_version integer;
