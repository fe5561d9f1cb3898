import { readFileSync } from 'node:fs'

/** One file a subject, in the order in which they overrule each other. */
const SUBJECTS = ['colours', 'text', 'contents', 'chapters', 'fields', 'samples', 'print']

/** The stylesheet of the reference. It never changes while the program runs: whoever serves it reads it once. */
export const readDocsStyle = (): string =>
  SUBJECTS.map((subject) =>
    readFileSync(new URL(`./stylesheets/${subject}.css`, import.meta.url), 'utf8'),
  ).join('\n')
