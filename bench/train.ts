/* Makes the engine's small models anew, always the same from the same data: `npm run train`. */
import { writeFileSync } from 'node:fs'
import { trainClinc, trainHwu, trainSlurp } from './train/intent-models.ts'
import { trainRequests } from './train/requests.ts'

const MODELS = { requests: trainRequests, hwu64: trainHwu, clinc150: trainClinc, slurp: trainSlurp }

const names = process.argv.slice(2)
for (const [name, train] of Object.entries(MODELS)) {
  if (names.length > 0 && !names.includes(name)) continue
  const made = train()
  const [extension, text] = 'json' in made ? ['json', made.json] : ['ts', made.module]
  writeFileSync(`src/engine/models/${name}.${extension}`, text)
  console.log(`${name}: ${made.note}, ${Math.round(text.length / 1000)} kB`)
}
