import { Compile } from 'typebox/compile'
import { Email, PersonName } from '../features/auth/schema.ts'
import type { Visit } from '../platform/access/caller.ts'
import { isStorable } from '../platform/http/responses.ts'
import { type Command, CommandError, readArguments } from './command.ts'
import { requireInstance, withApp } from './instance.ts'
import { readPassword } from './passphrase.ts'

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

const ROLE_NAMES = { owner: 'the owner of this instance', member: 'a member' } as const

export const userAdd: Command = {
  usage: userAddUsage,
  summary: 'Add an account; the first account is the owner',
  async run(context) {
    const { email, name, isPiped } = readInput(context.args)
    const password = await readPassword(context, isPiped)
    const user = await withApp(context, (app) =>
      app.features.accounts.addByOperator({ email, name, password }, commandLineVisit),
    )
    context.print(`Added ${user.email} (${user.name}) as ${ROLE_NAMES[user.role]}.`)
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
