import { Compile } from 'typebox/compile'
import { inTransaction } from '../database/transaction.ts'
import { findUserByEmail } from '../features/auth/repository.ts'
import { Email, PersonName } from '../features/auth/schema.ts'
import { SCOPES, type Visit } from '../platform/access/caller.ts'
import { isStorable } from '../platform/http/responses.ts'
import { readInstant } from '../platform/time.ts'
import { type Command, CommandError, readArguments, readChoice, readPassword } from './command.ts'
import { requireInstance, withApp } from './instance.ts'

/** The origin of operator actions in the activity list. */
export const commandLineVisit: Visit = { ip: 'local', userAgent: 'factotum command line' }

const userAddUsage = 'user add EMAIL [--name NAME] [--password-stdin]'

const readInput = (args: readonly string[]) => {
  const { values, words } = readArguments(args, {
    usage: userAddUsage,
    options: { name: { type: 'string' }, 'password-stdin': { type: 'boolean', default: false } },
    words: ['EMAIL'],
  })
  const email = words[0] as string
  if (!Compile(Email).Check(email) || !isStorable(email))
    throw new CommandError(`"${email}" is not an email address.`)
  const name = values.name ?? (email.split('@', 1)[0] as string)
  if (!Compile(PersonName).Check(name) || !isStorable(name))
    throw new CommandError('The name must have 1 to 200 characters.')
  return { email, name, isPiped: values['password-stdin'] }
}

export const userAdd: Command = {
  usage: userAddUsage,
  summary: 'Add an account; the first account is the owner',
  async run(context) {
    const { email, name, isPiped } = readInput(context.args)
    const password = await readPassword(context, isPiped)
    const user = await withApp(context, (app) =>
      app.features.accounts.addByOperator({ email, name, password }, commandLineVisit),
    )
    const role = user.role === 'owner' ? 'the owner of this instance' : 'a member'
    context.print(`Added ${user.email} (${user.name}) as ${role}.`)
    return 0
  },
}

const userPasswordUsage = 'user password EMAIL [--password-stdin]'

export const userPassword: Command = {
  usage: userPasswordUsage,
  summary: 'Set a new password for an account, and end its sessions',
  async run(context) {
    const { values, words } = readArguments(context.args, {
      usage: userPasswordUsage,
      options: { 'password-stdin': { type: 'boolean', default: false } },
      words: ['EMAIL'],
    })
    requireInstance(context)
    const password = await readPassword(context, values['password-stdin'])
    const user = await withApp(context, (app) =>
      app.features.accounts.setPasswordByOperator(words[0] as string, password, commandLineVisit),
    )
    context.print(`${user.email} has a new password. All its sessions have ended.`)
    return 0
  },
}

const usage = 'token create --user EMAIL --name NAME --scope SCOPE … [--expires DAY]'
const MAX_NAME_LENGTH = 100

const readScope = (text: string) => readChoice(text, SCOPES, { noun: 'scope', listed: 'Valid scopes' })

const readTokenInput = (args: readonly string[]) => {
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
  if (name === undefined || name.trim() === '' || name.length > MAX_NAME_LENGTH || !isStorable(name))
    throw new CommandError(`Specify a name with --name, 1 to ${MAX_NAME_LENGTH} characters.`)
  if (scope.length === 0)
    throw new CommandError(`Specify one or more scopes with --scope. Valid scopes: ${SCOPES.join(', ')}.`)
  return { email: user, name, scopes: scope.map(readScope), expires }
}

export const tokenCreate: Command = {
  usage,
  summary: 'Create a personal access token, and print only the token',
  async run(context) {
    const { email, name, scopes, expires } = readTokenInput(context.args)
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
