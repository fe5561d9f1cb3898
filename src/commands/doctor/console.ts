import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Check, ok, warn } from './finding.ts'

export const consoleCheck: Check = {
  what: 'console',
  run: ({ context: { consoleDirectory } }) => [
    existsSync(join(consoleDirectory, 'index.html'))
      ? ok('built')
      : warn('not built; the API answers all the same', 'npm start builds it'),
  ],
}
