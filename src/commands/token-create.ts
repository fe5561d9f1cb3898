import { inTransaction } from '../database/transaction.ts'
import { findUserByEmail } from '../features/auth/user-store.ts'
import { SCOPES, type Scope } from '../platform/access/caller.ts'
import { isKeepable } from '../platform/http/text.ts'
import { nearest } from '../platform/nearest.ts'
import { readInstant } from '../platform/time.ts'
import { readArguments } from './arguments.ts'
import { type Command, CommandError } from './command.ts'
import { requireInstance, withApp } from './instance.ts'
import { fromHere } from './visit.ts'

const usage = 'token create --user EMAIL --name NAME --scope SCOPE … [--expires DAY]'
const LONGEST_NAME = 100

const readScope = (text: string): Scope => {
  const known = SCOPES.find((scope) => scope === text)
  if (known) return known
  const meant = nearest(text, SCOPES)
  throw new CommandError(
    `There is no scope "${text}". ${meant ? `Did you mean ${meant}?` : `There are ${SCOPES.join(', ')}.`}`,
  )
}

const readWish = (args: readonly string[]) => {
  const { values } = readArguments(args, {
    usage,
    options: {
      user: { type: 'string' },
      name: { type: 'string' },
      scope: { type: 'string', multiple: true },
      expires: { type: 'string' },
    },
    words: [],
  })
  const { user, name, scope = [], expires } = values
  if (user === undefined)
    throw new CommandError(`Say whose it is with --user EMAIL. Usage: factotum ${usage}`)
  if (name === undefined || name.trim() === '' || name.length > LONGEST_NAME || !isKeepable(name))
    throw new CommandError(`Say what it is for with --name, in 1 to ${LONGEST_NAME} characters.`)
  if (scope.length === 0)
    throw new CommandError(`Say what it may do with --scope, once or more. There are ${SCOPES.join(', ')}.`)
  return { email: user, name, scopes: scope.map(readScope), expires }
}

export const tokenCreate: Command = {
  usage,
  summary: 'Make a personal access token; it is the only thing printed',
  async run(context) {
    const { email, name, scopes, expires } = readWish(context.args)
    requireInstance(context)
    const made = await withApp(context, (app, { db }) =>
      inTransaction(db, async (tx) => {
        const user = await findUserByEmail(tx, email)
        if (!user)
          throw new CommandError(`There is no account ${email}. Add it with: factotum user add ${email}`)
        const expiresAt = expires === undefined ? null : readInstant('--expires', expires, user.timezone)
        return app.rooms.tokens.create(tx, user.id, { name, scopes, expiresAt }, fromHere)
      }),
    )
    const until = made.expiresAt === null ? 'until it is revoked' : `until ${made.expiresAt}`
    context.note(`"${made.name}" of ${email} may ${made.scopes.join(', ')}, ${until}. It is shown this once:`)
    context.print(made.token)
    return 0
  },
}
