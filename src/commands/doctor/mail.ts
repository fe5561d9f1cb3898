import { type Check, ok, warn } from './finding.ts'

/** The accounts as they were last seen by the service; no mail server is called. */
export const mailCheck: Check = {
  what: 'mail',
  async run({ database, migration, config }) {
    if (!database || !migration || migration.at === null) return []
    if (migration.pending.length + migration.unknown.length > 0) return []
    const accounts = await database.db
      .selectFrom('mail_accounts')
      .innerJoin('mail_sync', 'mail_sync.accountId', 'mail_accounts.id')
      .select(['address', 'signIn', 'status', 'error', 'enabled'])
      .orderBy('address')
      .execute()
    const active = accounts.filter(({ enabled }) => enabled === 1)
    const isBroken = (status: string): boolean => status === 'failing' || status === 'signed_out'
    const broken = active.filter(({ status }) => isBroken(status))
    const unset = active.filter(
      ({ signIn }) => signIn !== 'password' && config.mailOauth[signIn].clientId === null,
    )
    const unreadable = await database.db
      .selectFrom('emails')
      .leftJoin('mail_accounts', 'mail_accounts.id', 'emails.accountId')
      .select((row) => ['address', row.fn.countAll<number>().as('count')])
      .where('unreadable', 'is not', null)
      .groupBy('address')
      .orderBy('address')
      .execute()
    const uncertain = await database.db
      .selectFrom('outbox')
      .select('emailId')
      .where('state', 'in', ['sending', 'uncertain'])
      .limit(1)
      .executeTakeFirst()
    return [
      ...(broken.length + unset.length === 0
        ? [ok(active.length === 0 ? 'no account is connected' : `${active.length} connected`)]
        : []),
      ...broken.map(({ address, error }) =>
        warn(`${address}: ${error ?? 'does not answer'}`, 'see to it in the settings of the account'),
      ),
      ...unset.map(({ address, signIn }) =>
        warn(
          `${address} signs in with ${signIn}, which is not set up`,
          `set MAIL_OAUTH_${signIn.toUpperCase()}_CLIENT_ID`,
        ),
      ),
      ...unreadable.map(({ address, count }) =>
        warn(
          `${address ?? 'removed accounts'}: ${count} ${Number(count) === 1 ? 'message' : 'messages'} could not be read`,
          'open or download them in the console; the next version of Factotum tries again',
        ),
      ),
      ...(uncertain
        ? [
            warn(
              'of some mail nobody knows whether it was sent',
              'look for delivery "uncertain" in the sent folder',
            ),
          ]
        : []),
    ]
  },
}
