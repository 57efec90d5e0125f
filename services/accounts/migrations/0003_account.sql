-- Lists of keys show those that are not revoked, newest first.
create index api_keys_listed on api_keys (organization_id, created_at, id)
where state <> 'revoked';

create index organizations_listed on organizations (created_at, id);

-- What was added since a time without a look at the usage, which is a thousand times longer.
create index ledger_entries_grants on ledger_entries (organization_id, created_at) include (units)
where grant_id is not null;
