import { readFileSync } from 'node:fs'
import { type CommandContext, CommandError } from './command.ts'
import { messageOf } from './failure.ts'

/** Reads the password from stdin, or asks for it twice. */
export const readPassword = async ({ ask, readLine }: CommandContext, isPiped: boolean): Promise<string> => {
  if (isPiped) return readLine()
  const password = await ask('Password: ', { hidden: true })
  if (password === undefined)
    throw new CommandError(
      'There is no terminal to ask for a password. Pass it on standard input with --password-stdin.',
    )
  if ((await ask('Repeat password: ', { hidden: true })) !== password)
    throw new CommandError('The passwords do not match.')
  return password
}

const LONGEST = 4096

/** Reads the passphrase from a file: all bytes except one trailing newline, which editors add. */
export const readPassphrase = (file: string): Buffer => {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    throw new CommandError(`The passphrase file ${file} cannot be read: ${messageOf(error)}`)
  }
  const text = bytes.toString('latin1').replace(/\r?\n$/, '')
  if (text === '')
    throw new CommandError(`The passphrase file ${file} is empty. Write a passphrase into it, on one line.`)
  if (text.length > LONGEST)
    throw new CommandError(
      `The passphrase file ${file} is too long: a passphrase has at most ${LONGEST} bytes.`,
    )
  return Buffer.from(text, 'latin1')
}
