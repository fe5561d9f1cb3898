import { readFileSync } from 'node:fs'
import { CommandError } from './command.ts'
import { messageOf } from './failure.ts'

const LONGEST = 4096

/** The passphrase in a file: all of its bytes but one newline at the end, which editors add. */
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
      `The passphrase file ${file} is too long: a passphrase has ${LONGEST} bytes at most.`,
    )
  return Buffer.from(text, 'latin1')
}
