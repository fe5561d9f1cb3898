/*
 * Makes the engine's small models anew, always the same from the same data: `npm run train`, or some of them by name.
 * With --check nothing is written: what is made must be what ships, byte for byte.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { trainClinc, trainHwu, trainSlurp } from './train/intent-models.ts'
import { trainRequests } from './train/requests.ts'

const MODELS = { requests: trainRequests, hwu64: trainHwu, clinc150: trainClinc, slurp: trainSlurp }

const isCheck = process.argv.includes('--check')
const names = process.argv.slice(2).filter((word) => word !== '--check')
for (const [name, train] of Object.entries(MODELS)) {
  if (names.length > 0 && !names.includes(name)) continue
  const made = train()
  const [extension, text] = 'json' in made ? ['json', made.json] : ['ts', made.module]
  const file = `src/engine/models/${name}.${extension}`
  const isSame = isCheck && readFileSync(file, 'utf8') === text
  if (!isCheck) writeFileSync(file, text)
  else if (!isSame) process.exitCode = 1
  const verdict = isCheck ? (isSame ? ', as shipped' : ', NOT as shipped') : ''
  console.log(`${name}: ${made.note}, ${Math.round(text.length / 1000)} kB${verdict}`)
}
