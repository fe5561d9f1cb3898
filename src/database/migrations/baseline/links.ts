import type { Dialect } from './dialect.ts'

const LINKS = [
  {
    trigger: '"emails_leave_tasks"',
    table: '"emails"',
    unlink: 'update tasks set "emailId" = null, version = version + 1 where "emailId" = old.id',
  },
  {
    trigger: '"events_leave_tasks"',
    table: '"events"',
    unlink: 'update tasks set "eventId" = null, version = version + 1 where "eventId" = old.id',
  },
  {
    trigger: 'emails_leave_events',
    table: 'emails',
    // A changed occurrence is part of the representation of its series.
    unlink: `
      update events set version = version + 1
      where id in (select "seriesId" from events where "emailId" = old.id and "seriesId" is not null)
        and coalesce("emailId", 0) <> old.id;
      update events set "emailId" = null, version = version + 1 where "emailId" = old.id`,
  },
]

/** Clears the links to a deleted row. The version changes, because the link is part of the representation. */
export const links = ({ isPostgres }: Dialect): string[] =>
  LINKS.flatMap(({ trigger, table, unlink }) =>
    isPostgres
      ? [
          // A restore drops the tables, and the functions stay.
          `create or replace function ${trigger}() returns trigger language plpgsql as $$
             begin ${unlink}; return null; end $$`,
          `create trigger ${trigger} after delete on ${table} for each row execute function ${trigger}()`,
        ]
      : [`create trigger ${trigger} after delete on ${table} begin ${unlink}; end`],
  )
