import { Compile } from 'typebox/compile'
import { Email, PersonName } from '../features/auth/schema.ts'
import { isKeepable } from '../platform/http/text.ts'
import { readArguments } from './arguments.ts'
import { type Command, CommandError } from './command.ts'
import { withApp } from './instance.ts'
import { readPassword } from './new-password.ts'
import { fromHere } from './visit.ts'

const usage = 'user add EMAIL [--name NAME] [--password-stdin]'

const readWish = (args: readonly string[]) => {
  const { values, words } = readArguments(args, {
    usage,
    options: { name: { type: 'string' }, 'password-stdin': { type: 'boolean', default: false } },
    words: ['EMAIL'],
  })
  const email = words[0] as string
  if (!Compile(Email).Check(email) || !isKeepable(email))
    throw new CommandError(`"${email}" is not an e-mail address.`)
  const name = values.name ?? (email.split('@', 1)[0] as string)
  if (!Compile(PersonName).Check(name) || !isKeepable(name))
    throw new CommandError('The name must have 1 to 200 characters.')
  return { email, name, isPiped: values['password-stdin'] }
}

const inWords = { owner: 'the owner of this instance', member: 'a member' } as const

export const userAdd: Command = {
  usage,
  summary: 'Add an account; the first is the owner',
  async run(context) {
    const { email, name, isPiped } = readWish(context.args)
    const password = await readPassword(context, isPiped)
    const user = await withApp(context, (app) =>
      app.rooms.accounts.addByOperator({ email, name, password }, fromHere),
    )
    context.print(`Added ${user.email} (${user.name}) as ${inWords[user.role]}.`)
    return 0
  },
}
