import { variables } from '../../config/variables.ts'
import { nearest } from '../../platform/nearest.ts'
import type { CommandContext } from '../command.ts'
import { messageOf } from '../failure.ts'
import { fail, ok, warn } from './finding.ts'

const KNOWN = Object.keys(variables)

/** Names in `.env` that look like settings and are none: they have no effect, and nobody is told. */
const strangers = (names: readonly string[]) =>
  names
    .filter((name) => !KNOWN.includes(name))
    .flatMap((name) => {
      const meant = nearest(name, KNOWN)
      return meant
        ? [warn(`${name} in .env is not a setting; did you mean ${meant}?`, `rename it to ${meant}`)]
        : []
    })

/** Unlike the other checks it needs no settings: it is the one that tells whether they can be read. */
export const checkSettings = (context: CommandContext) => {
  const odd = strangers(context.envFileNames)
  try {
    const { dataDir } = context.config
    return [ok(`can be read; DATA_DIR is ${dataDir}`), ...odd]
  } catch (error) {
    return [
      fail(messageOf(error), 'change it in .env or in the environment; .env.example explains each'),
      ...odd,
    ]
  }
}
