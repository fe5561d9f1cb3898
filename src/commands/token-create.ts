import { inTransaction } from '../database/transaction.ts'
import { findUserByEmail } from '../features/auth/repository.ts'
import { SCOPES, type Scope } from '../platform/access/caller.ts'
import { nearest } from '../platform/collections.ts'
import { isStorable } from '../platform/http/responses.ts'
import { readInstant } from '../platform/time.ts'
import { type Command, CommandError, readArguments } from './command.ts'
import { requireInstance, withApp } from './instance.ts'
import { commandLineVisit } from './users.ts'

const usage = 'token create --user EMAIL --name NAME --scope SCOPE … [--expires DAY]'
const LONGEST_NAME = 100

const readScope = (text: string): Scope => {
  const known = SCOPES.find((scope) => scope === text)
  if (known) return known
  const suggestion = nearest(text, SCOPES)
  throw new CommandError(
    `Unknown scope "${text}". ${suggestion ? `Did you mean ${suggestion}?` : `Valid scopes: ${SCOPES.join(', ')}.`}`,
  )
}

const readInput = (args: readonly string[]) => {
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
    throw new CommandError(`Specify the account with --user EMAIL. Usage: factotum ${usage}`)
  if (name === undefined || name.trim() === '' || name.length > LONGEST_NAME || !isStorable(name))
    throw new CommandError(`Specify a name with --name, 1 to ${LONGEST_NAME} characters.`)
  if (scope.length === 0)
    throw new CommandError(`Specify one or more scopes with --scope. Valid scopes: ${SCOPES.join(', ')}.`)
  return { email: user, name, scopes: scope.map(readScope), expires }
}

export const tokenCreate: Command = {
  usage,
  summary: 'Create a personal access token, and print only the token',
  async run(context) {
    const { email, name, scopes, expires } = readInput(context.args)
    requireInstance(context)
    const made = await withApp(context, (app, { db }) =>
      inTransaction(db, async (tx) => {
        const user = await findUserByEmail(tx, email)
        if (!user)
          throw new CommandError(`There is no account ${email}. Add it with: factotum user add ${email}`)
        const expiresAt = expires === undefined ? null : readInstant('--expires', expires, user.timezone)
        return app.features.tokens.create(tx, user.id, { name, scopes, expiresAt }, commandLineVisit)
      }),
    )
    const until = made.expiresAt === null ? 'until it is revoked' : `until ${made.expiresAt}`
    context.note(
      `"${made.name}" of ${email} has the scopes ${made.scopes.join(', ')}, valid ${until}. It is displayed only once:`,
    )
    context.print(made.token)
    return 0
  },
}
