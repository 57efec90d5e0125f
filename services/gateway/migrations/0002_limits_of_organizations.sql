-- A window is that of a key, or of an organization, whose keys share a limit too.
alter table rate_windows rename column api_key_id to owner_id;

comment on table rate_windows is 'Units of a 60-second window that gateways have leased, by API key or organization.';
