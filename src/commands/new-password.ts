import { type CommandContext, CommandError } from './command.ts'

/** Piped in as a line, or asked for twice. */
export const readPassword = async ({ ask, readLine }: CommandContext, isPiped: boolean): Promise<string> => {
  if (isPiped) return readLine()
  const password = await ask('Password: ', { hidden: true })
  if (password === undefined)
    throw new CommandError('Nobody is here to ask for a password. Pipe it in, and add --password-stdin.')
  if ((await ask('Once more: ', { hidden: true })) !== password)
    throw new CommandError('The two are not the same.')
  return password
}
