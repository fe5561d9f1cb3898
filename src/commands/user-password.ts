import { readArguments } from './arguments.ts'
import type { Command } from './command.ts'
import { requireInstance, withApp } from './instance.ts'
import { readPassword } from './new-password.ts'
import { fromHere } from './visit.ts'

const usage = 'user password EMAIL [--password-stdin]'

export const userPassword: Command = {
  usage,
  summary: 'Set a new password for an account, and end its sessions',
  async run(context) {
    const { values, words } = readArguments(context.args, {
      usage,
      options: { 'password-stdin': { type: 'boolean', default: false } },
      words: ['EMAIL'],
    })
    requireInstance(context)
    const password = await readPassword(context, values['password-stdin'])
    const user = await withApp(context, (app) =>
      app.rooms.accounts.setPasswordByOperator(words[0] as string, password, fromHere),
    )
    context.print(`${user.email} has a new password, and is signed in nowhere.`)
    return 0
  },
}
