/* Makes the engine's small models anew, always the same from the same data: `npm run train`. */
import { writeFileSync } from 'node:fs'
import { trainClinc, trainHwu, trainSlurp } from './train/intent-models.ts'
import { trainRequests } from './train/requests.ts'

const MODELS = { requests: trainRequests, hwu64: trainHwu, clinc150: trainClinc, slurp: trainSlurp }

const names = process.argv.slice(2)
for (const [name, train] of Object.entries(MODELS)) {
  if (names.length > 0 && !names.includes(name)) continue
  const { module, note } = train()
  writeFileSync(`src/engine/models/${name}.ts`, module)
  console.log(`${name}: ${note}, ${Math.round(module.length / 1000)} kB`)
}
