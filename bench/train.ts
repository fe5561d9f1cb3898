/*
 * Trains the small models of the language engine: `npm run train`, or only the named ones. The same data
 * always yields the same models. `--check` writes nothing and fails if a model differs from the shipped one
 * by a byte.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { trainIntents } from './train/intents.ts'
import { trainMails } from './train/mails.ts'
import { trainPlaces } from './train/places.ts'
import { trainRequests } from './train/requests.ts'
import { trainTagger } from './train/tagger.ts'

const MODELS = {
  requests: trainRequests,
  mails: trainMails,
  places: trainPlaces,
  intents: trainIntents,
  tagger: trainTagger,
}

const isCheck = process.argv.includes('--check')
const names = process.argv.slice(2).filter((word) => word !== '--check')
for (const [name, train] of Object.entries(MODELS)) {
  if (names.length > 0 && !names.includes(name)) continue
  const result = train()
  const [extension, text] = 'json' in result ? ['json', result.json] : ['ts', result.module]
  const file = `src/nlu/models/${name}.${extension}`
  const isSame = isCheck && readFileSync(file, 'utf8') === text
  if (!isCheck) writeFileSync(file, text)
  else if (!isSame) process.exitCode = 1
  const verdict = isCheck
    ? isSame
      ? ', equal to the shipped model'
      : ', DIFFERENT from the shipped model'
    : ''
  console.log(`${name}: ${result.note}, ${Math.round(text.length / 1000)} kB${verdict}`)
}
