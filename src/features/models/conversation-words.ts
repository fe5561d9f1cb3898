import { foldWords, markOf } from '../../database/word-index.ts'

/** The mark of an account among the search words. It keeps a search within the account. */
export const toAccountMark = (userId: number): string => markOf(`u${userId}`)

/** Returns the search words of the title of a conversation. */
export const toTitleWords = (title: string): string => foldWords(title).join(' ')

/** Returns the search words of a message. */
export const toMessageWords = (mark: string, text: string): string => [mark, ...foldWords(text)].join(' ')
