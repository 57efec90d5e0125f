-- What users have said of marketing messages of a number: the newest counts, in whatever order callbacks come.
create table marketing_preferences (
	phone_number_id uuid not null references phone_numbers (id),
	-- E.164 with "+".
	recipient text not null,
	organization_id uuid not null,
	is_stopped boolean not null,
	-- By the provider's clock, in seconds.
	changed_at timestamptz(3) not null,
	primary key (recipient, phone_number_id)
);
