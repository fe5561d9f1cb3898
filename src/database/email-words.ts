import type { Engine } from './database.ts'
import { createFullText, type FullText } from './full-text/full-text.ts'

/** What e-mails are found by; its numbers are their positions. */
export const emailWords = (engine: Engine): FullText =>
  createFullText(engine, { name: 'email_words', columns: ['subject', 'sender', 'recipients', 'body'] })
