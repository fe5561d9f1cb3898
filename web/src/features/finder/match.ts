import { defaultFilter } from 'cmdk'
import type { Command } from '../../shell/commands.ts'

/** The query matches the beginnings of words. A lower score is a guess, such as for a typo. */
export const CERTAIN = 0.5
/** Scores below are accidental: the letters are far apart. */
const GUESS = 0.02
const MIN_GUESS_LENGTH = 3

const toWords = (text: string): string[] => text.toLowerCase().split(/[\s,…“”„-]+/)

const beginsWith = (text: string, query: string): boolean => {
  const known = toWords(text)
  return toWords(query)
    .filter(Boolean)
    .every((word) => known.some((each) => each.startsWith(word)))
}

/** How well a command matches, from 0 to 1. Letters of the label may be missing in the query. */
export const scoreOf = ({ label, keywords = '' }: Command, query: string): number => {
  if (label.toLowerCase().startsWith(query.trim().toLowerCase())) return 1
  if (beginsWith(label, query)) return 0.95
  if (beginsWith(`${label} ${keywords}`, query)) return 0.9
  if (query.length < MIN_GUESS_LENGTH) return 0
  const score = defaultFilter(label, query)
  // Letters in order, but not the beginnings of words: never as good as the matches above.
  return score < GUESS ? 0 : Math.min(score, CERTAIN - 0.01)
}

/** The matching commands, best first. Of equal matches, the more recent one is first. */
export const rankCommands = <C extends Command>(
  commands: readonly C[],
  query: string,
  recentIds: readonly string[] = [],
): readonly { command: C; score: number }[] => {
  const rankOf = ({ id }: C): number => {
    const index = recentIds.indexOf(id)
    return index < 0 ? recentIds.length : index
  }
  return commands
    .map((command) => ({ command, score: scoreOf(command, query) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || rankOf(one.command) - rankOf(other.command))
}
