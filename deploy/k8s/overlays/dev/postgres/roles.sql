-- A role that owns each schema, for its migrations, and one that only uses it.
create role accounts_owner login password 'dev';
create role accounts login password 'dev';
create schema accounts authorization accounts_owner;
create role messaging_owner login password 'dev';
create role messaging login password 'dev';
create schema messaging authorization messaging_owner;
create role whatsapp_owner login password 'dev';
create role whatsapp login password 'dev';
create schema whatsapp authorization whatsapp_owner;
create role campaigns_owner login password 'dev';
create role campaigns login password 'dev';
create schema campaigns authorization campaigns_owner;
create role webhooks_owner login password 'dev';
create role webhooks login password 'dev';
create schema webhooks authorization webhooks_owner;
create role gateway_owner login password 'dev';
create role gateway login password 'dev';
create schema gateway authorization gateway_owner;
