import { fold, tokenize } from '../../../nlu/lexicon/lexicon.ts'
import type { ToolResult } from '../tools/contracts.ts'
import type { InterpreterContext } from './context.ts'

/* The people of a message: contacts, found by a part of their name. */

export type Contact = ToolResult<'find_contact'>['contacts'][number]

/** More words are no message about people. */
const MAX_WORDS = 6
const MAX_CONTACTS = 10

/** "Nadias" and "Nadia's" name Nadia. */
const toName = (word: string): string => (word.length > 3 ? word.replace(/s$/u, '') : word)

const nameWords = ({ name, givenName, familyName, organization }: Contact): string[] =>
  tokenize(`${name} ${givenName} ${familyName} ${organization}`).map(({ folded }) => folded)

const isNamedBy = (contact: Contact, words: readonly string[]): boolean => {
  const known = nameWords(contact)
  return words.every((word) => known.some((one) => one === word || toName(one) === toName(word)))
}

/** The address to write to, with the name. */
export const addressOf = ({ name, addresses }: Contact): string | undefined =>
  addresses[0] && `${name} <${addresses[0].address}>`.trim()

export interface People {
  /** The contacts that all the words name. */
  find: (words: string) => readonly Contact[]
}

/** Looks up the contacts that the words of a message may name. */
export const findPeople = async (
  { lookUp }: InterpreterContext,
  words: readonly string[],
): Promise<People> => {
  const contacts = new Map<number, Contact>()
  for (const word of [...new Set(words.map(fold))].slice(0, MAX_WORDS)) {
    const found = await lookUp('find_contact', { query: toName(word), limit: MAX_CONTACTS })
    for (const contact of found?.contacts ?? []) contacts.set(contact.id, contact)
  }
  return {
    find: (said) => {
      const parts = tokenize(said).map(({ folded }) => folded)
      return parts.length === 0 ? [] : [...contacts.values()].filter((one) => isNamedBy(one, parts))
    },
  }
}
